// One pass over the clusters: which of them draw from the pools of a datacenter, from those of a seed, or need node ports.
import { getOrAdd } from '../../core/collections.ts';
import type { Cluster, Datacenter, Seed, Strategy } from '../../model/schema/index.ts';
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
  const grouped = { applications: new Map(), loadBalancers: new Map(), nodePorts: new Map() };
  // One look-up per cluster; the lists of a seed are shared by its datacenters.
  const groupsOf = new Map<Datacenter, Groups>();
  for (const { cluster, datacenter, seed, effective } of located) {
    const groups = getOrAdd(groupsOf, datacenter, () => newGroups(grouped, datacenter, seed));
    addTo(groups, cluster, effective.exposeStrategy);
  }
  return { ...grouped, loadBalancerPools: loadBalancerPools(model) };
}

type Groups = Readonly<Record<'applications' | 'loadBalancers' | 'nodePorts', Cluster[]>>;
type Lists = Readonly<Record<keyof Groups, Map<string, Cluster[]>>>;

const newList = (): Cluster[] => [];
const newGroups = (lists: Lists, datacenter: Datacenter, seed: Seed): Groups => ({
  applications: getOrAdd(lists.applications, datacenter.metadata.name, newList),
  loadBalancers: getOrAdd(lists.loadBalancers, seed.metadata.name, newList),
  nodePorts: getOrAdd(lists.nodePorts, seed.metadata.name, newList),
});

function addTo(groups: Groups, cluster: Cluster, strategy: Strategy): void {
  const { workloadAddresses, loadBalancerIPs, loadBalancerHostname } = cluster.spec;
  if (workloadAddresses?.ips === undefined) groups.applications.push(cluster);
  if (strategy === 'Tunneling') return;
  groups.nodePorts.push(cluster);
  const given = loadBalancerIPs !== undefined || loadBalancerHostname !== undefined;
  if (strategy === 'LoadBalancer' && !given) groups.loadBalancers.push(cluster);
}
