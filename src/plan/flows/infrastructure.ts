// Infrastructure of a seed or a datacenter: backup, routers, the KubeLB hub.
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import { type LoadBalancer, speaksBgp, usesKubelb } from '../places/load-balancer.ts';
import type { Members } from '../places/members.ts';
import { remoteOfUrl } from '../places/remote.ts';
import { usesOf, type WorkerSite } from '../places/uses.ts';
import { apiPortOf, nodePortRangeOf, userNodePortRange } from '../ports.ts';
import type { FlowList } from './flow-list.ts';

export function addInfrastructure(list: FlowList, ctx: PlanContext): void {
  for (const { seed } of usesOf(ctx).seeds) {
    const at = (part: Parameters<typeof id.seedPlace>[1]): string => id.seedPlace(seed.metadata.name, part);
    addBackup(list, at('nodes'), at('backup'), seed.spec.backup?.s3?.endpoint);
    addBalancing(list, seed.spec.loadBalancer, {
      nodes: at('nodes'),
      routers: at('routers'),
      kubelb: at('kubelb'),
      nodePorts: nodePortRangeOf(seed),
      members: undefined,
    });
  }
  for (const { sites } of usesOf(ctx).datacenters) for (const site of sites) addWorkers(list, site);
}

const addWorkers = (list: FlowList, { datacenter: { metadata, spec }, network, members }: WorkerSite): void =>
  addBalancing(list, spec.loadBalancer, {
    nodes: network.place,
    routers: id.datacenterPlace(metadata.name, 'routers'),
    kubelb: id.datacenterPlace(metadata.name, 'kubelb'),
    nodePorts: userNodePortRange,
    members,
  });

function addBackup(list: FlowList, from: string, to: string, endpoint: string | undefined): void {
  const remote = endpoint === undefined ? undefined : remoteOfUrl(endpoint);
  if (remote !== undefined)
    list.add({ from, to, ports: [remote.port], reason: 'Snapshots of etcd go to the bucket.', requirement: 'STO-8' });
}

interface Site {
  readonly nodes: string;
  readonly routers: string;
  readonly kubelb: string;
  readonly nodePorts: string;
  /** Absent: the platform itself. */
  readonly members: Members | undefined;
}

function addBalancing(list: FlowList, balancer: LoadBalancer, site: Site): void {
  if (usesKubelb(balancer)) addKubelb(list, apiPortOf(balancer?.kubelb ?? {}), site);
  // Beneath KubeLB it is the hub that announces; the nodes here only receive.
  if (speaksBgp(balancer)) addBgp(list, usesKubelb(balancer) ? site.kubelb : site.nodes, site);
}

/** Either side may open the session, and the one that was opened first stays. */
function addBgp(list: FlowList, announcer: string, { routers, members }: Site): void {
  const session = { ports: [179], reason: 'Virtual IPs are announced by BGP.', requirement: 'BGP-2', members };
  list.add({ ...session, from: announcer, to: routers });
  list.add({ ...session, from: routers, to: announcer });
}

function addKubelb(list: FlowList, port: number, { nodes, kubelb, nodePorts, members }: Site): void {
  const requirement = 'LB-4';
  const reason = 'The KubeLB hub sends traffic to the node ports of its tenants.';
  const announced = 'The KubeLB controller announces services and nodes to the hub.';
  list.add({ from: nodes, to: kubelb, ports: [port], reason: announced, requirement, members });
  for (const protocol of ['tcp', 'udp'] as const)
    list.add({ from: kubelb, to: nodes, protocol, ports: [nodePorts], reason, requirement, members });
}
