// The path between users or workers and a control plane, part by part, and whether each works now.

import { hostPort } from '../core/host-port.ts';
import type { Plan } from '../plan/schema/index.ts';
import {
  type ConditionStatus,
  isTrue,
  type Verdict,
  verdictFalse,
  verdictStarting,
  verdictTrue,
  verdictUnknown,
} from '../reconcile/index.ts';
import type { ControlPlaneUpstreams, WorkersView } from '../runtime/platform-runtime.ts';
import { type SeedGateway, verdictOnGateway } from './gateway/seed-gateway.ts';
import type { ClusterTraffic } from './gateway/traffic.ts';
import { gatewaySegments, type PathSegment, type PlannedPath, plannedPaths } from './planned-paths.ts';
import type { Hop, Traffic } from './view.ts';

export interface HopFacts {
  readonly plan: Plan;
  readonly traffic: ReadonlyMap<string, ClusterTraffic>;
  gateway(seed: string): SeedGateway | undefined;
  /** Of the control planes that this platform runs: where they are, which no plan knows. */
  upstreams(cluster: string): ControlPlaneUpstreams | undefined;
  /** Of the control plane alone. */
  controlPlane(cluster: string): Verdict | undefined;
  workers(cluster: string): WorkersView | undefined;
  /** When this part was last seen to work, now included. */
  lastWorked(id: string, healthy: boolean | undefined): number | undefined;
  /** Seen to work since the platform started. */
  hasWorked(id: string): boolean;
  /** Of a cluster, which is not ready yet and within its time. */
  isStarting(cluster: string): boolean;
}

export function hopsOf(facts: HopFacts, clusters: readonly string[]): Hop[] {
  const paths = plannedPaths(facts.plan);
  const hops = gatewaySegments(facts.plan, clusters).map(({ seed, ...segment }) => {
    const gateway = facts.gateway(seed);
    return seen(facts, segment, fromHere(verdictOnGateway(gateway)), gateway?.isStarting ?? true);
  });
  for (const name of clusters) {
    const path = paths.get(name);
    if (path !== undefined) addHops(hops, facts, path);
  }
  return hops;
}

function addHops(hops: Hop[], facts: HopFacts, path: PlannedPath): void {
  const traffic = facts.traffic.get(path.cluster);
  const workers = facts.workers(path.cluster);
  const { controlPlane } = path;
  const starts = facts.isStarting(path.cluster);
  const inner = placed(controlPlane, facts.upstreams(path.cluster));
  const atWorkers = (part: Verdict | undefined): Seen => seenAtWorkers(part, workers);
  hops.push(
    seen(facts, inner, apiHealth(facts, path), starts, traffic?.apiServer),
    seen(facts, path.kubelet, atWorkers(workers?.nodes), starts),
    seen(facts, path.konnectivity, atWorkers(workers?.konnectivityAgent), starts, traffic?.konnectivity),
  );
  // Parts of the worker side appear one after the other; those that are to come are starting too.
  const toCome = starts && workers !== undefined ? verdictStarting() : undefined;
  if (path.agent !== undefined) hops.push(seen(facts, path.agent, atWorkers(workers?.nodeAgent ?? toCome), starts));
  if (path.proxy !== undefined) hops.push(seen(facts, path.proxy, atWorkers(workers?.proxy ?? toCome), starts));
}

/** As the gateway of its seed dials it. */
const placed = (segment: PathSegment, upstreams: ControlPlaneUpstreams | undefined): PathSegment =>
  upstreams === undefined
    ? segment
    : {
        ...segment,
        address: hostPort(upstreams.apiServer.host, upstreams.apiServer.port),
        ports: [upstreams.apiServer.port, upstreams.konnectivity.port].sort((a, b) => a - b),
      };

/** A verdict, and who came to it. */
interface Seen {
  readonly verdict: Verdict;
  readonly seenFrom?: string;
}

function seen(
  { lastWorked, hasWorked }: HopFacts,
  segment: PathSegment,
  health: Seen,
  starts: boolean,
  traffic?: Traffic,
): Hop {
  const { verdict, seenFrom } = health;
  const worked = lastWorked(segment.id, healthyBy[verdict.status]);
  const isStarting = starts && verdict.status === 'False' && !hasWorked(segment.id);
  return {
    ...segment,
    ...(isStarting ? startingOf(verdict) : shownOf(verdict)),
    ...(seenFrom === undefined || isStarting ? {} : { seenFrom }),
    ...(traffic === undefined ? {} : { traffic }),
    ...(worked === undefined ? {} : { lastWorked: worked }),
  };
}

/** Until it has worked once, nothing is broken that somebody would have to mend. */
const startingOf = ({ message }: Verdict): Pick<Hop, 'healthy' | 'starting' | 'why'> => ({
  healthy: undefined,
  starting: true,
  ...(message === '' ? {} : { why: message }),
});

const shownOf = ({ status, message, fix }: Verdict): Pick<Hop, 'healthy' | 'why' | 'fix'> => ({
  healthy: healthyBy[status],
  ...(message === '' ? {} : { why: message }),
  ...(fix === undefined ? {} : { fix }),
});

const healthyBy: Readonly<Record<ConditionStatus, boolean | undefined>> = {
  True: true,
  False: false,
  Unknown: undefined,
};

const fromHere = (verdict: Verdict): Seen => ({ verdict, seenFrom: 'this machine' });

function apiHealth({ gateway, controlPlane }: HopFacts, { cluster, seed }: PlannedPath): Seen {
  const served = verdictOnGateway(gateway(seed), cluster);
  const inside = controlPlane(cluster);
  if (!isTrue(served)) return fromHere(served);
  // Of a control plane that nobody has looked at nothing is known, whatever its gateway does.
  if (inside === undefined) return { verdict: verdictFalse('NotObserved', 'nobody has looked at it yet') };
  return fromHere(isTrue(inside) ? verdictTrue() : inside);
}

/** Nobody looks where this machine plays no workers. */
function seenAtWorkers(verdict: Verdict | undefined, workers: WorkersView | undefined): Seen {
  if (verdict === undefined || workers === undefined) return { verdict: verdictUnknown('NotObserved', '') };
  return { verdict, seenFrom: workersOf[workers.kind] };
}

const workersOf = { demo: 'the demo workers on this machine', real: 'the real worker on this machine' } as const;
