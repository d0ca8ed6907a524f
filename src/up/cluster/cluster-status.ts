// One cluster in one line: is it ready, and if not, what is it that one would mend first.
import type { Cluster } from '../../model/schema/index.ts';
import type { SeedGateway } from '../gateway/seed-gateway.ts';
import type { ClusterStatus } from '../view.ts';
import { accessOf } from './access.ts';
import { isManaged, type Planned } from './cluster-input.ts';
import type { ExternalSeen } from './external-watch.ts';
import type { ManagedRunner, State } from './managed-runner.ts';

export interface ClusterParts {
  readonly gateway: SeedGateway | undefined;
  readonly runner: ManagedRunner | undefined;
  readonly external: ExternalSeen | undefined;
}

export function clusterStatus({ plan }: Planned, cluster: Cluster, parts: ClusterParts): ClusterStatus {
  const { name } = cluster.metadata;
  const access = accessOf(plan, name);
  const nodes = parts.runner?.workersSeen()?.nodes;
  return {
    name,
    ...stateOf(name, parts, access !== undefined),
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
  const inside = runner?.state() ?? external ?? { ready: false, reason: 'it is being started' };
  if (!inside.ready) return notReady(inside.reason);
  const problem = gateway?.clusterProblems.get(name) ?? gateway?.problem;
  if (problem !== undefined) return notReady(`the gateway does not serve it: ${problem.why}`);
  if (gateway?.healthy !== true) return notReady('the gateway is being started');
  return runner?.workersState() ?? { ready: true };
}

const notReady = (reason: string | undefined): State => ({ ready: false, ...(reason === undefined ? {} : { reason }) });
