// One cluster in one line: is it ready, and if not, what is it that one would mend first.
import type { Observed } from '../../control-plane/component.ts';
import type { Cluster } from '../../model/schema/index.ts';
import type { SeedGateway } from '../gateway/seed-gateway.ts';
import type { Problem } from '../problem.ts';
import type { ClusterStatus } from '../view.ts';
import { accessOf } from './access.ts';
import { isManaged, type Planned } from './cluster-input.ts';
import type { ExternalSeen } from './external-watch.ts';
import type { ManagedRunner, State } from './managed-runner.ts';
import { startSteps } from './start-steps.ts';
import type { Phase, StartSeen, StartWatch } from './start-watch.ts';

export interface ClusterParts {
  readonly gateway: SeedGateway | undefined;
  readonly runner: ManagedRunner | undefined;
  readonly external: ExternalSeen | undefined;
  /** Programs of its control plane and of its workers. */
  readonly components: readonly Observed[];
  readonly starts: StartWatch;
  readonly now: number;
}

export function clusterStatus({ plan }: Planned, cluster: Cluster, parts: ClusterParts): ClusterStatus {
  const { name } = cluster.metadata;
  const access = accessOf(plan, name);
  const nodes = parts.runner?.nodesSeen();
  const { refused = false, ...state } = stateOf(name, parts, access !== undefined);
  const phase = parts.starts.phaseOf(name, seenOf(name, parts, state.ready, refused), parts.now);
  return {
    name,
    phase,
    ...state,
    ...stepsOf(name, parts, phase),
    ...(access === undefined ? {} : { endpoint: access.server }),
    strategy: plan.endpoints[name]?.strategy ?? 'Tunneling',
    managed: isManaged(cluster),
    version: cluster.spec.kubernetesVersion,
    ...(nodes === undefined ? {} : { nodes: { ready: nodes.ready, total: nodes.total } }),
  };
}

/** From the inside out: what does not work inside is the reason for what does not work outside. */
function stateOf(name: string, { gateway, runner, external }: ClusterParts, hasAddress: boolean): State {
  if (!hasAddress) return notReady('its address is not chosen yet');
  const inside = runner?.state() ?? seenOutside(external);
  if (!inside.ready) return inside;
  const problem = gatewayProblem(name, gateway);
  if (problem !== undefined) return { ...notReady(problem.why), ...(problem.fix && { fix: problem.fix }) };
  return runner?.workersState() ?? { ready: true };
}

function seenOutside(external: ExternalSeen | undefined): State {
  if (external === undefined) return notReady('it is being started');
  const { ready, reason } = external;
  return { ready, ...(reason === undefined ? {} : { reason }) };
}

function gatewayProblem(name: string, gateway: SeedGateway | undefined): Problem | undefined {
  const problem = gateway?.clusterProblems.get(name) ?? gateway?.problem;
  if (problem !== undefined && gateway?.isStarting === false)
    return { ...problem, why: `the gateway does not serve it: ${problem.why}` };
  return gateway?.healthy === true ? undefined : { why: 'the gateway is being started' };
}

const notReady = (reason: string): State => ({ ready: false, reason });

/** A program that has ended so often and does not work is not on its way any more, also while it is tried once more. */
const mostRestarts = 3;

function seenOf(name: string, parts: ClusterParts, ready: boolean, refused: boolean): StartSeen {
  const { components, external, gateway } = parts;
  const hasEnded = ({ phase, healthy, restarts }: Observed): boolean =>
    phase === 'failed' || (!healthy && restarts >= mostRestarts);
  const isShut = gateway?.isStarting === false && gatewayProblem(name, gateway) !== undefined;
  return {
    ready,
    getting: components.some(({ phase }) => phase === 'getting'),
    failed: refused || isShut || external?.ready === false || components.some(hasEnded),
  };
}

function stepsOf(name: string, { runner, components, gateway, starts }: ClusterParts, phase: Phase) {
  if (runner === undefined || starts.wasReady(name)) return {};
  const steps = startSteps({
    controlPlane: runner.controlPlane.look().steps ?? [],
    components,
    gateway: gatewayProblem(name, gateway)?.why,
    workers: runner.workersSeen(),
    failed: phase === 'failing',
  });
  return { steps };
}
