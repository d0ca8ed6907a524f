// One pass over the clusters: which of them draw from the pools of a datacenter, from those of a seed, or need node ports.
import { byName } from '../../core/names.ts';
import type { Cluster } from '../../model/schema/index.ts';
import type { AddressInput } from './index.ts';
import { loadBalancerPools } from './needs.ts';

export interface Grouped {
  /** Per datacenter: clusters whose application addresses are not entered by hand. */
  readonly applications: ReadonlyMap<string, readonly Cluster[]>;
  /** Per seed: clusters with a load balancer of their own whose address is not given. */
  readonly loadBalancers: ReadonlyMap<string, readonly Cluster[]>;
  /** Per seed: clusters whose endpoints are told apart by port. */
  readonly nodePorts: ReadonlyMap<string, readonly Cluster[]>;
  readonly loadBalancerPools: ReadonlyMap<string, string>;
}

export function groupClusters({ model, strategyOf, seedOf }: AddressInput): Grouped {
  const groups = { applications: new Map(), loadBalancers: new Map(), nodePorts: new Map() } satisfies Record<
    string,
    Map<string, Cluster[]>
  >;
  for (const cluster of sortedByName(model.clusters)) {
    const { metadata, spec } = cluster;
    const seed = seedOf(metadata.name);
    const strategy = strategyOf(metadata.name);
    if (seed === undefined || strategy === undefined) continue;
    if (spec.workloadAddresses?.ips === undefined) add(groups.applications, spec.datacenter, cluster);
    if (strategy === 'Tunneling') continue;
    add(groups.nodePorts, seed, cluster);
    const given = spec.loadBalancerIPs !== undefined || spec.loadBalancerHostname !== undefined;
    if (strategy === 'LoadBalancer' && !given) add(groups.loadBalancers, seed, cluster);
  }
  return { ...groups, loadBalancerPools: loadBalancerPools(model) };
}

function add(groups: Map<string, Cluster[]>, key: string, cluster: Cluster): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [cluster]);
  else group.push(cluster);
}

type Named = { readonly metadata: { readonly name: string } };
/** The documents of a model come sorted; what does not is sorted here, so that order never decides about an address. */
export function sortedByName<Document extends Named>(documents: readonly Document[]): readonly Document[] {
  const isSorted = documents.every(
    (document, i) => i === 0 || (documents[i - 1] as Document).metadata.name <= document.metadata.name,
  );
  return isSorted ? documents : [...documents].sort((a, b) => byName(a.metadata.name, b.metadata.name));
}
