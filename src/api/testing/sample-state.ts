// Believable live state for a plan that nothing runs: components, hops and traffic, as a platform would tell them.
import type { Observed } from '../../control-plane/component.ts';
import type { Plan } from '../../plan/schema/index.ts';
import type { ClusterStatus, Hop, Traffic } from '../../up/view.ts';
import { gatewayLegsOf, waysOf } from '../../up/ways.ts';

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

/** The ways of the plan, which all work but for those in trouble. */
export function hopsOf(plan: Plan, clock: SampleClock, traffic: ReadonlyMap<string, Traffic>): Hop[] {
  const works = { healthy: true, lastWorked: clock.now, seenFrom: 'this machine' };
  const atWorkers = { ...works, seenFrom: 'the demo workers on this machine' };
  const ways = [...waysOf(plan).values()];
  return [
    ...gatewayLegsOf(plan, Object.keys(plan.endpoints)).map(({ seed: _, ...leg }) => ({ ...leg, ...works })),
    ...ways.flatMap(({ cluster, controlPlane, kubelet, konnectivity, agent, proxy }) => [
      { ...controlPlane, ...works, traffic: traffic.get(cluster) },
      ...[kubelet, konnectivity, agent, proxy]
        .filter((leg) => leg !== undefined)
        .map((leg) => ({ ...leg, ...atWorkers, ...troubleOf(cluster, clock) })),
    ]),
  ];
}

type Health = Pick<Hop, 'healthy' | 'why' | 'fix' | 'lastWorked'>;

function troubleOf(cluster: string, { trouble, startedAt }: SampleClock): Health | undefined {
  if (!trouble.has(cluster)) return undefined;
  const why = 'connection refused by 127.50.0.2:8088';
  return { healthy: false, why, fix: 'open the port in the firewall, or start the gateway', lastWorked: startedAt };
}
