// What a cluster was made with, and which changes of that it cannot follow.
import { CausewayError } from '../core/errors.ts';
import type { PodSecurity } from '../model/schema/index.ts';
import type { Endpoint } from '../plan/schema/index.ts';
import type { ClusterRuntime, Store, ValueName } from './cluster-runtime.ts';
import type { ControlPlaneInput } from './control-plane.ts';

/** What depends on when a cluster was made. */
export interface Made {
  /** What holds where nobody has said it; absent in clusters that were made before there was a default. */
  readonly podSecurity?: PodSecurity;
  /** Its API server takes only kubelets with a certificate of the cluster; absent while nodes may have none. */
  readonly verifiesKubelets?: true;
}

export interface ClusterState extends Made {
  readonly strategy: Endpoint['strategy'];
  /** Of the API server that last was healthy. */
  readonly kubernetesVersion: string;
}

/** What clusters are made with now. Those that exist keep what they have: an update of ours refuses none of their pods. */
export const madeNow = { podSecurity: 'baseline', verifiesKubelets: true } as const satisfies Made;

/** What depends on when a cluster was made, unless its manifests say it. */
export const settledFor = (
  { podSecurity }: Pick<ControlPlaneInput, 'podSecurity'>,
  state: ClusterState | undefined,
): { readonly podSecurity: PodSecurity; readonly verifiesKubelets: boolean } => ({
  podSecurity: podSecurity ?? (state ?? madeNow).podSecurity ?? 'privileged',
  verifiesKubelets: (state ?? madeNow).verifiesKubelets ?? false,
});

/** Where it is kept. */
export const stateValue: ValueName = { name: 'state', key: 'state.json' };

/** Undefined for a cluster that has no data yet: it can still be anything. */
export async function readClusterState({
  store,
  hasData,
}: Pick<ClusterRuntime, 'store' | 'hasData'>): Promise<ClusterState | undefined> {
  if (!(await hasData())) return undefined;
  const text = await store.get(stateValue);
  return text === undefined ? undefined : parsed(text, store.where(stateValue));
}

function parsed(text: string, file: string): ClusterState {
  try {
    return JSON.parse(text) as ClusterState;
  } catch {
    throw new CausewayError(
      'CW-STATE-DAMAGED',
      `${file} is damaged: it says with which strategy and version a cluster was made`,
      `write both into it, as they last were: ${JSON.stringify(example)}`,
    );
  }
}

const example: ClusterState = { strategy: 'Tunneling', kubernetesVersion: '1.36.3' };

export const writeClusterState = (store: Pick<Store, 'put'>, state: ClusterState): Promise<void> =>
  store.put(stateValue, `${JSON.stringify(state)}\n`);

/** As it is kept with a backup, and put into the state of a cluster that gets the keys of that backup. */
export const madeOf = ({ podSecurity, verifiesKubelets }: Made): Made => ({
  ...(podSecurity === undefined ? {} : { podSecurity }),
  ...(verifiesKubelets === undefined ? {} : { verifiesKubelets }),
});

export const madeAs = ({ strategy, kubernetesVersion }: ClusterState, made: Made): ClusterState => ({
  ...{ strategy, kubernetesVersion },
  ...madeOf(made),
});

/** What decides whether a change can be followed. */
type ChangeableInput = Pick<ControlPlaneInput, 'cluster' | 'endpoint' | 'kubernetesVersion'>;

export function refuseImpossible(input: ChangeableInput, state: ClusterState | undefined): void {
  if (state === undefined) return;
  if (state.strategy !== input.endpoint.strategy) throw strategyChange(input, state);
  refuseVersion(input.cluster, state.kubernetesVersion, input.kubernetesVersion);
}

const strategyChange = ({ cluster, endpoint }: ChangeableInput, { strategy }: ClusterState): CausewayError =>
  new CausewayError(
    'CW-STRATEGY-CHANGE',
    `cluster ${cluster} was made with the strategy ${strategy} and cannot change to ${endpoint.strategy} while it lives: its workers know only the old way`,
    `set exposeStrategy of the cluster to ${strategy}, or make a new cluster and move the workloads`,
  );

/** Kubernetes' own rule: one minor version at a time, and none back. Patches go both ways. */
function refuseVersion(cluster: string, from: string, to: string): void {
  const [[fromMajor = 0, fromMinor = 0], [toMajor = 0, toMinor = 0]] = [from, to].map((text) =>
    text.split('.').map(Number),
  ) as [number[], number[]];
  const step = fromMajor === toMajor ? toMinor - fromMinor : Math.sign(toMajor - fromMajor) * 100;
  if (step < 0) throw refusedVersion(cluster, from, to, 'its data may hold what an older version does not know', from);
  if (step > 1)
    throw refusedVersion(cluster, from, to, 'minor versions go one at a time', `${fromMajor}.${fromMinor + 1} first`);
}

const refusedVersion = (cluster: string, from: string, to: string, why: string, right: string): CausewayError =>
  new CausewayError(
    'CW-VERSION-CHANGE',
    `cluster ${cluster} runs Kubernetes ${from} and cannot go to ${to}: ${why}`,
    `set its version to ${right}`,
  );
