// Believable live state for a plan that nothing runs: components, hops and traffic, as a platform would tell them.
import type { Observed } from '../../control-plane/component.ts';
import type { Endpoint, Plan } from '../../plan/schema/index.ts';
import type { ClusterStatus, Hop, Traffic } from '../../up/view.ts';

export interface SampleClock {
  readonly startedAt: number;
  readonly now: number;
  /** Clusters whose worker side is shown as broken. */
  readonly trouble: ReadonlySet<string>;
}

export const statusOf = (plan: Plan, { trouble }: SampleClock): ClusterStatus[] =>
  Object.values(plan.endpoints).map((endpoint) => {
    const ready = !trouble.has(endpoint.cluster);
    return {
      name: endpoint.cluster,
      ready,
      ...(ready ? {} : { reason: 'the node agent cannot reach the tunnel' }),
      ...(endpoint.kubeconfigServer === null ? {} : { endpoint: endpoint.kubeconfigServer }),
      strategy: endpoint.strategy,
      managed: true,
      version: '1.36.3',
      nodes: { ready: ready ? 2 : 0, total: 2 },
    };
  });

const controlPlane = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'konnectivity-server'];
const workerSide = ['konnectivity-agent', 'kwok'];

export const componentsOf = (plan: Plan, clock: SampleClock): Observed[] =>
  Object.keys(plan.endpoints).flatMap((cluster) => [
    ...controlPlane.map((name, at) => component(`cluster/${cluster}`, name, at, clock, true)),
    ...workerSide.map((name, at) => component(`worker/${cluster}`, name, at + 5, clock, !clock.trouble.has(cluster))),
  ]);

function component(
  scope: Observed['scope'],
  name: string,
  at: number,
  { startedAt, now }: SampleClock,
  healthy: boolean,
): Observed {
  return {
    scope,
    name,
    phase: healthy ? 'healthy' : 'restarting',
    healthy,
    ...(healthy ? {} : { why: 'it ended with code 1', next: 'is started again in 8 s' }),
    pid: 1000 + at,
    since: startedAt,
    restarts: healthy ? 0 : 3,
    memoryBytes: (24 + at * 31) * 1024 * 1024,
    cpuSeconds: Math.round(((now - startedAt) / 1000) * (at + 1)) / 100,
    version: '1.36.3',
    logFile: `.causeway/${scope}/logs/${name}.log`,
  };
}

export const trafficOf = (plan: Plan, clock: SampleClock): Map<string, Traffic> =>
  new Map(Object.keys(plan.endpoints).map((cluster, at) => [cluster, trafficAfter(clock, at)]));

/** Grows with the time, at another pace for each cluster. */
function trafficAfter({ startedAt, now }: SampleClock, at: number): Traffic {
  const seconds = (now - startedAt) / 1000;
  const wave = 1 + Math.sin(seconds / 7 + at);
  return {
    open: 4 + Math.round(wave * 3),
    accepted: Math.floor(seconds * (1 + (at % 5))) + 12,
    refused: Math.floor(seconds / 60),
    bytesIn: Math.floor(seconds * 2_000 * (1 + (at % 7))),
    bytesOut: Math.floor(seconds * 24_000 * (1 + (at % 7))),
  };
}

export const hopsOf = (plan: Plan, clock: SampleClock, traffic: ReadonlyMap<string, Traffic>): Hop[] => [
  ...Object.keys(plan.gateway).map((seed) => ({
    id: `gateway/${seed}`,
    from: 'users',
    to: `gateway/${seed}`,
    title: 'Users reach the gateway',
    healthy: true,
    requirement: 'PRT-11',
    lastWorked: clock.now,
  })),
  ...Object.values(plan.endpoints).flatMap((endpoint) => clusterHops(plan, endpoint, clock, traffic)),
];

function clusterHops(plan: Plan, endpoint: Endpoint, clock: SampleClock, traffic: ReadonlyMap<string, Traffic>): Hop[] {
  const { cluster, seed } = endpoint;
  const [gateway, workers] = [`gateway/${seed}`, `workers/${cluster}`];
  const works = { healthy: true, lastWorked: clock.now };
  const api: Hop = {
    id: `api/${cluster}`,
    from: gateway,
    to: `cluster/${cluster}`,
    title: `API server of ${cluster}`,
    ...works,
    ...addressOf(endpoint.apiServer),
    traffic: traffic.get(cluster),
  };
  return [api, ...wayOfWorkers(plan, endpoint, workers, gateway, { ...works, ...troubleOf(cluster, clock) })];
}

type Health = Pick<Hop, 'healthy' | 'why' | 'fix' | 'lastWorked'>;

function troubleOf(cluster: string, { trouble, startedAt }: SampleClock): Health | undefined {
  if (!trouble.has(cluster)) return undefined;
  const why = 'connection refused by 127.50.0.2:8088';
  return { healthy: false, why, fix: 'open the port in the firewall, or start the gateway', lastWorked: startedAt };
}

function wayOfWorkers(plan: Plan, endpoint: Endpoint, workers: string, gateway: string, health: Health): Hop[] {
  const { cluster } = endpoint;
  const proxy = plan.proxy.places[`cluster/${cluster}/nodes`]?.https;
  const host = proxy === undefined ? undefined : `proxy/${proxy.replace(/^\w+:\/\//, '').replace(/\/$/, '')}`;
  const konnectivity: Hop = {
    id: `konnectivity/${cluster}`,
    from: workers,
    to: host ?? gateway,
    title: `Konnectivity agents of ${cluster}`,
    ...health,
    ...addressOf(endpoint.konnectivity),
    requirement: 'PRT-8',
  };
  const agent: Hop = { ...konnectivity, id: `agent/${cluster}`, title: `Node agents of ${cluster}` };
  const through: Hop = {
    id: `proxy/${cluster}`,
    from: host ?? '',
    to: gateway,
    title: 'The proxy reaches the gateway',
    ...health,
    requirement: 'PRT-8',
  };
  return [konnectivity, ...(endpoint.tunnel === undefined ? [] : [agent]), ...(host === undefined ? [] : [through])];
}

const addressOf = ({ host, port }: Endpoint['apiServer']): { address?: string } =>
  host === null || port === null ? {} : { address: `${host}:${port}` };
