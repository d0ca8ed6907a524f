// Nodes of one cluster among themselves; tenants of a datacenter are kept apart. All protocols: overlays are UDP, path-MTU discovery is ICMP, and which ports
// a network or storage plugin wants is its own business; only the direct way is required.
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import { usesOf, type WorkerSite } from '../places/uses.ts';
import type { Effective } from '../settings/effective.ts';
import type { FlowList } from './flow-list.ts';

const transports: Readonly<Record<Effective['cni'], string>> = {
  cilium: 'Cilium: VXLAN udp/8472, Geneve udp/6081, WireGuard udp/51871, health tcp/4240',
  canal: 'Canal: VXLAN udp/8472',
  calico: 'Calico: VXLAN udp/4789, BGP tcp/179, Typha tcp/5473',
  flannel: 'Flannel: VXLAN udp/8472',
  none: 'a network plugin of your own',
};

export function addMesh(list: FlowList, ctx: PlanContext): void {
  addManagementMesh(list, id.masterNodes);
  const { seeds, datacenters } = usesOf(ctx);
  for (const { seed } of seeds) addManagementMesh(list, id.seedPlace(seed.metadata.name, 'nodes'));
  for (const { sites } of datacenters) for (const site of sites) addWorkerMesh(list, site);
}

const addManagementMesh = (list: FlowList, nodes: string): void =>
  list.add({
    from: nodes,
    to: nodes,
    protocol: 'any',
    ports: [],
    reason: 'Nodes talk to each other directly: API tcp/6443, etcd tcp/2379-2380, kubelet tcp/10250, the overlay.',
    requirement: 'NET-3',
  });

function addWorkerMesh(list: FlowList, { network, groups, members }: WorkerSite): void {
  const nodes = network.place;
  const plugins = [...new Set(groups.map((group) => transports[group.effective.cni]))].sort();
  list.add({
    from: nodes,
    to: nodes,
    protocol: 'any',
    ports: [],
    reason: `Workers of a cluster talk to each other without restriction (NET-4; ${plugins.join('; ')}).`,
    requirement: 'WRK-1',
    members,
  });
}
