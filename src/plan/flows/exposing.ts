// The port table: how users, the platform and workers reach the control planes. Nothing leads from a seed to workers.
import { type Seed, type Strategy, strategies } from '../../model/schema/index.ts';
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import type { Members } from '../places/members.ts';
import { unique } from '../places/place.ts';
import { type SeedUse, usesOf, type WorkerGroup } from '../places/uses.ts';
import { apiPortOf, gatewayPortsOf, ingressPortOf, nodePortRangeOf, userPortOf } from '../ports.ts';
import type { FlowList } from './flow-list.ts';
import { gatewayProxyOf, hopToProxy } from './proxies.ts';

/** Rows of the port table by who connects and how clusters are exposed. */
export const exposingRows = {
  master: { Tunneling: 'PRT-4', NodePort: 'PRT-5', LoadBalancer: 'PRT-6' },
  workers: { Tunneling: 'PRT-8', NodePort: 'PRT-9', LoadBalancer: 'PRT-10' },
  users: { Tunneling: 'PRT-11', NodePort: 'PRT-12', LoadBalancer: 'PRT-13' },
} as const;

export function addExposing(list: FlowList, ctx: PlanContext): void {
  const { platform } = ctx.model;
  list.add({
    from: id.users,
    to: id.masterIngress,
    ports: [ingressPortOf(platform)],
    reason: 'Dashboard, API and sign-in.',
    requirement: 'PRT-1',
  });
  list.add({
    from: id.masterNodes,
    to: id.masterApi,
    ports: [apiPortOf(platform.spec.master.api)],
    reason: 'The operator works on the master cluster.',
    requirement: 'PRT-17',
  });
  for (const use of usesOf(ctx).seeds) addSeed(list, ctx, use);
}

function addSeed(list: FlowList, ctx: PlanContext, use: SeedUse): void {
  addSeedApi(list, use);
  for (const [strategy, members] of inOrder(use.strategies)) addClients(list, use, strategy, members);
  for (const { groups } of use.datacenters) for (const group of groups) addWorkers(list, ctx, group);
}

function addSeedApi(list: FlowList, { seed, datacenters }: SeedUse): void {
  const to = id.seedPlace(seed.metadata.name, 'api');
  const ports = [apiPortOf(seed.spec.api)];
  const option = datacenters.some((use) => use.datacenter.spec.integration === 'II')
    ? ' Option II asks for it too (INT-5).'
    : '';
  const from = id.masterNodes;
  list.add({ from, to, ports, reason: `The operator works on the seed.${option}`, requirement: 'PRT-2' });
  list.add({
    from,
    to,
    ports,
    reason: 'The platform API reads and writes clusters on the seed.',
    requirement: 'PRT-3',
  });
  list.add({
    from: id.seedPlace(seed.metadata.name, 'nodes'),
    to,
    ports,
    reason: 'The seed controller manager works on its own cluster.',
    requirement: 'PRT-17',
  });
}

function addClients(list: FlowList, { seed, datacenters }: SeedUse, strategy: Strategy, members: Members): void {
  const to = entryOf(seed, strategy);
  const ports = clientPorts(seed, strategy);
  const option = datacenters.some((use) => use.datacenter.spec.integration === 'II')
    ? ' Option II asks for it too (INT-9).'
    : '';
  list.add({
    from: id.masterNodes,
    to,
    ports,
    reason: 'The platform API talks to the API servers of clusters.',
    requirement: exposingRows.master[strategy],
    members,
  });
  list.add({
    from: id.users,
    to,
    ports,
    reason: `kubectl talks to the API servers of clusters.${option}`,
    requirement: exposingRows.users[strategy],
    members,
  });
}

function addWorkers(list: FlowList, { cache }: PlanContext, group: WorkerGroup): void {
  const { seed, place, effective, members } = group;
  const strategy = effective.exposeStrategy;
  const proxy = gatewayProxyOf(cache, effective);
  if (proxy !== undefined) hopToProxy(list, place, proxy, members);
  list.add({
    from: proxy?.id ?? place,
    to: entryOf(seed, strategy),
    ports: workerPorts(seed, strategy, effective.entry),
    reason: workerReason(group, proxy !== undefined),
    requirement: exposingRows.workers[strategy],
    members,
  });
}

function workerReason({ datacenter }: WorkerGroup, proxied: boolean): string {
  if (proxied) return 'The proxy opens connections for kubelets, konnectivity agents and node agents.';
  const reason = 'Kubelets, konnectivity agents and pods talk to their control plane.';
  const option = { I: ' Option I asks for it too (INT-1).', II: ' Option II asks for it too (INT-6).' };
  return datacenter.spec.integration === undefined ? reason : reason + option[datacenter.spec.integration];
}

/** Always in the same order, whichever cluster came first. */
export const inOrder = (used: SeedUse['strategies']): [Strategy, Members][] =>
  strategies.flatMap((strategy) => {
    const members = used.get(strategy);
    return members === undefined ? [] : [[strategy, members] as [Strategy, Members]];
  });

export const entryOf = (seed: Seed, strategy: Strategy): string =>
  id.seedPlace(seed.metadata.name, strategy === 'LoadBalancer' ? 'load-balancers' : 'gateway');

export const clientPorts = (seed: Seed, strategy: Strategy): (number | string)[] =>
  strategy === 'Tunneling' ? [userPortOf(seed)] : [nodePortRangeOf(seed)];

function workerPorts(seed: Seed, strategy: Strategy, entry: 'split' | 'single'): (number | string)[] {
  if (strategy !== 'Tunneling') return [nodePortRangeOf(seed)];
  const { sni, tunnel, single } = gatewayPortsOf(seed);
  return entry === 'single' ? [single] : unique([sni, tunnel]);
}
