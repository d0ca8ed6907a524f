// Believable live state for a plan that nothing runs: components, hops and traffic, as a platform would tell them.

import type { Plan } from '../../plan/schema/index.ts';
import { type ClusterStatus, gatewaySegments, type Hop, plannedPaths, type Traffic } from '../../platform/index.ts';
import type { Condition } from '../../reconcile/index.ts';
import type { ObservedComponent } from '../../runtime/platform-runtime.ts';

export interface SampleClock {
  readonly startedAt: number;
  readonly now: number;
  /** Clusters whose worker side is shown as broken. */
  readonly trouble: ReadonlySet<string>;
  /** Clusters that are shown as starting. */
  readonly starting: ReadonlySet<string>;
}

export const statusOf = (plan: Plan, { trouble, starting, startedAt }: SampleClock): ClusterStatus[] =>
  Object.values(plan.endpoints).map((endpoint) => {
    const ready = !trouble.has(endpoint.cluster) && !starting.has(endpoint.cluster);
    const state: Pick<ClusterStatus, 'phase' | 'reason' | 'steps'> = {
      ...(starting.has(endpoint.cluster) ? startingStatus : { phase: ready ? 'ready' : 'failing' }),
      ...(trouble.has(endpoint.cluster) ? { reason: 'the node agent cannot reach the tunnel' } : {}),
    };
    return {
      name: endpoint.cluster,
      ready,
      ...state,
      conditions: conditionsOf(ready, state.reason, startedAt),
      ...(ready ? { timings } : {}),
      ...(endpoint.kubeconfigServer === null ? {} : { endpoint: endpoint.kubeconfigServer }),
      strategy: endpoint.strategy,
      managed: true,
      version: '1.36.3',
      nodes: { ready: ready ? 2 : 0, total: 2 },
    };
  });

const timings: ClusterStatus['timings'] = [
  { name: 'certificates', title: 'Certificates', seconds: 0.4 },
  { name: 'etcd', title: 'etcd', seconds: 1.2 },
  { name: 'api-server', title: 'API server', seconds: 3.5 },
  { name: 'workers', title: 'Workers', seconds: 2 },
];

function conditionsOf(ready: boolean, message = '', since: number): Condition[] {
  const own = { status: ready ? 'True' : 'False', reason: ready ? 'AllReady' : 'Sample', message, since } as const;
  const gateway = { type: 'GatewayReady', status: 'True', reason: 'Serving', message: '', since } as const;
  return [{ type: 'Ready', ...own }, { type: 'ControlPlaneReady', ...own }, gateway];
}

const startingStatus: Pick<ClusterStatus, 'phase' | 'reason' | 'steps'> = {
  phase: 'starting',
  reason: 'kube-apiserver: it is starting: connection refused',
  steps: [
    { name: 'certificates', title: 'Certificates', state: 'done', seconds: 0.4 },
    { name: 'programs', title: 'Programs of Kubernetes', state: 'done' },
    { name: 'etcd', title: 'etcd', state: 'done' },
    { name: 'api-server', title: 'API server', state: 'active', detail: 'it is starting: connection refused' },
    { name: 'bootstrap', title: 'Rules, accounts and endpoints', state: 'waiting' },
    { name: 'controllers', title: 'Controllers and scheduler', state: 'waiting' },
    { name: 'konnectivity', title: 'Konnectivity server', state: 'waiting' },
    { name: 'readiness', title: 'Ready for pods', state: 'waiting' },
    { name: 'gateway', title: 'Gateway', state: 'done' },
    { name: 'workers', title: 'Workers', state: 'waiting' },
  ],
};

const controlPlane = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'konnectivity-server'];
const workerSide = ['konnectivity-agent', 'kwok'];

export const componentsOf = (plan: Plan, clock: SampleClock): ObservedComponent[] =>
  Object.keys(plan.endpoints).flatMap((cluster) => [
    ...controlPlane.map((name, at) => component(`cluster/${cluster}`, name, at, clock, true)),
    ...workerSide.map((name, at) => component(`worker/${cluster}`, name, at + 5, clock, !clock.trouble.has(cluster))),
  ]);

function component(
  scope: ObservedComponent['scope'],
  name: string,
  at: number,
  { startedAt, now }: SampleClock,
  healthy: boolean,
): ObservedComponent {
  return {
    scope,
    name,
    phase: healthy ? 'healthy' : 'restarting',
    healthy,
    ...(healthy ? {} : { why: 'it ended with code 1', next: 'is started again in 8 s' }),
    instance: String(1000 + at),
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

/** The paths of the plan, which all work but for those in trouble. */
export function hopsOf(plan: Plan, clock: SampleClock, traffic: ReadonlyMap<string, Traffic>): Hop[] {
  const works = { healthy: true, lastWorked: clock.now, seenFrom: 'this machine' };
  const atWorkers = { ...works, seenFrom: 'the demo workers on this machine' };
  const gateways = gatewaySegments(plan, Object.keys(plan.endpoints)).map(({ seed: _, ...segment }) => ({
    ...segment,
    ...works,
  }));
  const paths = [...plannedPaths(plan).values()].flatMap(
    ({ cluster, controlPlane, kubelet, konnectivity, agent, proxy }) => {
      const others = [kubelet, konnectivity, agent, proxy].filter((segment) => segment !== undefined);
      if (clock.starting.has(cluster))
        return [controlPlane, ...others].map((segment) => ({ ...segment, ...startingHop }));
      return [
        { ...controlPlane, ...works, traffic: traffic.get(cluster) },
        ...others.map((segment) => ({ ...segment, ...atWorkers, ...troubleOf(cluster, clock) })),
      ];
    },
  );
  return [...gateways, ...paths];
}

const startingHop: Pick<Hop, 'healthy' | 'starting' | 'why'> = {
  healthy: undefined,
  starting: true,
  why: 'kube-apiserver: it is starting: connection refused',
};

type Health = Pick<Hop, 'healthy' | 'why' | 'fix' | 'lastWorked'>;

function troubleOf(cluster: string, { trouble, startedAt }: SampleClock): Health | undefined {
  if (!trouble.has(cluster)) return undefined;
  const why = 'connection refused by 127.50.0.2:8088';
  return { healthy: false, why, fix: 'open the port in the firewall, or start the gateway', lastWorked: startedAt };
}
