// One pass over the clusters: which of them draw from the pools of a datacenter, from those of a seed, or need node ports.
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

export function groupClusters({ model, located }: AddressInput): Grouped {
  const groups = { applications: new Map(), loadBalancers: new Map(), nodePorts: new Map() } satisfies Record<
    string,
    Map<string, Cluster[]>
  >;
  for (const { cluster, seed, effective } of located) {
    const { spec } = cluster;
    const strategy = effective.exposeStrategy;
    if (spec.workloadAddresses?.ips === undefined) add(groups.applications, spec.datacenter, cluster);
    if (strategy === 'Tunneling') continue;
    add(groups.nodePorts, seed.metadata.name, cluster);
    const given = spec.loadBalancerIPs !== undefined || spec.loadBalancerHostname !== undefined;
    if (strategy === 'LoadBalancer' && !given) add(groups.loadBalancers, seed.metadata.name, cluster);
  }
  return { ...groups, loadBalancerPools: loadBalancerPools(model) };
}

function add(groups: Map<string, Cluster[]>, key: string, cluster: Cluster): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [cluster]);
  else group.push(cluster);
}
