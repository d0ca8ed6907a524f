// The conditions of one cluster, and what is shown of them: is it ready, and if not, what is it that one would mend first.
import type { Observed } from '../../control-plane/index.ts';
import type { Cluster } from '../../model/schema/index.ts';
import {
  type Condition,
  isTrue,
  type UntimedCondition,
  type Verdict,
  verdictFalse,
  verdictTrue,
} from '../../reconcile/index.ts';
import { type SeedGateway, verdictOnGateway } from '../gateway/seed-gateway.ts';
import type { ClusterStatus } from '../view.ts';
import { accessOf } from './access.ts';
import { isManaged, type Planned } from './cluster-input.ts';
import type { HostedCluster } from './hosted-cluster.ts';
import { startSteps } from './start-steps.ts';
import type { ObservedStart, Phase, StartTracker } from './start-tracker.ts';

export interface ClusterParts {
  readonly gateway: SeedGateway | undefined;
  readonly hosted: HostedCluster | undefined;
  /** Of a control plane that something else runs. */
  readonly external: Verdict | undefined;
  /** Programs of its control plane and of its workers. */
  readonly components: readonly Observed[];
  readonly starts: StartTracker;
  /** Milliseconds since 1970, to be shown. */
  readonly now: number;
  /** Milliseconds of a clock that nobody sets, for how long something takes. */
  readonly elapsed: number;
}

export function clusterStatus({ plan }: Planned, cluster: Cluster, parts: ClusterParts): ClusterStatus {
  const { name } = cluster.metadata;
  const access = accessOf(plan, name);
  const nodes = parts.hosted?.observedNodes();
  const conditions = parts.starts.conditions(name, conditionsOf(name, parts, access !== undefined), parts.now);
  const { message, fix } = conditions[0] as Condition;
  const ready = isTrue(conditions[0]);
  const phase = parts.starts.phaseOf(name, seenOf(name, parts, ready), parts.elapsed);
  return {
    name,
    phase,
    ready,
    ...(message === '' ? {} : { reason: message }),
    ...(fix === undefined ? {} : { fix }),
    conditions,
    ...stepsOf(name, parts, phase),
    ...(access === undefined ? {} : { endpoint: access.server }),
    strategy: plan.endpoints[name]?.strategy ?? 'Tunneling',
    managed: isManaged(cluster),
    version: cluster.spec.kubernetesVersion,
    ...(nodes === undefined ? {} : { nodes: { ready: nodes.ready, total: nodes.total } }),
  };
}

/** Ready, then from the inside out: what does not work inside is the reason for what does not work outside. */
function conditionsOf(name: string, { gateway, hosted, external }: ClusterParts, hasAddress: boolean) {
  const parts: readonly UntimedCondition[] = [
    { type: 'AddressAssigned', ...(hasAddress ? verdictTrue('Assigned') : noAddress) },
    { type: 'ControlPlaneReady', ...(hosted?.controlPlaneReady() ?? external ?? notSeen) },
    { type: 'GatewayReady', ...gatewayVerdict(name, gateway) },
    ...(hosted === undefined ? [] : [{ type: 'WorkersReady', ...hosted.workersReady() }]),
  ];
  const speaks = parts.find((condition) => !isTrue(condition)) ??
    parts.find(({ message }) => message !== '') ?? { ...verdictTrue('AllReady') };
  return [{ ...speaks, type: 'Ready' }, ...parts];
}

const noAddress = verdictFalse('NoAddress', 'its address is not chosen yet');
const notSeen = verdictFalse('Starting', 'it is being started');

/** Until it was tried to the end, whatever the gateway says is that it is being started. */
function gatewayVerdict(name: string, gateway: SeedGateway | undefined): Verdict {
  const verdict = verdictOnGateway(gateway, name);
  if (isTrue(verdict)) return verdict;
  const isKnown = gateway?.isStarting === false && verdict.reason === 'NotServing';
  if (!isKnown) return verdictFalse('Starting', 'the gateway is being started');
  return { ...verdict, message: `the gateway does not serve it: ${verdict.message}` };
}

/** A program that has ended so often and does not work is not on its way any more, also while it is tried once more. */
const mostRestarts = 3;

function seenOf(name: string, parts: ClusterParts, ready: boolean): ObservedStart {
  const { components, external, gateway, hosted } = parts;
  const hasEnded = ({ phase, healthy, restarts }: Observed): boolean =>
    phase === 'failed' || (!healthy && restarts >= mostRestarts);
  const isShut = gateway?.isStarting === false && !isTrue(gatewayVerdict(name, gateway));
  const isAway = external !== undefined && !isTrue(external);
  return {
    ready,
    getting: components.some(({ phase }) => phase === 'getting'),
    failed: hosted?.isRefused === true || isShut || isAway || components.some(hasEnded),
  };
}

function stepsOf(
  name: string,
  { hosted, components, gateway, starts, elapsed }: ClusterParts,
  phase: Phase,
): Pick<ClusterStatus, 'steps' | 'timings'> {
  if (hosted === undefined) return {};
  const timings = starts.timings(name);
  if (timings !== undefined) return { timings };
  const steps = startSteps({
    controlPlane: hosted.controlPlane.observe().conditions,
    components,
    gateway: gatewayVerdict(name, gateway),
    workers: hosted.observedWorkers(),
    failed: phase === 'failing',
  });
  return starts.timed(name, steps, elapsed);
}
