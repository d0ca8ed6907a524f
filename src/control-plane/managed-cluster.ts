// One control plane that we run: what one attempt to reconcile it does, and what is observed of it. Whoever has it calls
// `reconcile` again: when a component of it has changed, when it is due, and after a failure (Reconciler).
import { CausewayError, exitCodes } from '../core/errors.ts';
import type { KubeClient } from '../kube/index.ts';
import type { TokenAuthority } from '../net/index.ts';
import type { Issued } from '../pki/index.ts';
import {
  type Condition,
  ConditionSet,
  isTrue,
  type Result,
  runSteps,
  type Verdict,
  verdictFalse,
  verdictTrue,
} from '../reconcile/index.ts';
import { type Log, silentLog } from '../sys/log.ts';
import { agentTokenPath, applyJoinedWorkers, hasSharedToken, type JoinedWorkers } from './bootstrap/joined-workers.ts';
import { ClusterNodes, type ObservedNodes } from './cluster-nodes.ts';
import type { ClusterRuntime } from './cluster-runtime.ts';
import { readClusterState, refuseImpossible } from './cluster-state.ts';
import type { Driver } from './component.ts';
import type { Access, ControlPlaneInput } from './control-plane.ts';
import {
  type AccountToken,
  createBootstrapToken,
  kubeletCertificate,
  type WorkerCredentials,
  workerCredentials,
} from './credentials.ts';
import { applyEvictions, revokeJoinTokens } from './evictions.ts';
import {
  type IssuedKubeconfig,
  issueKubeconfig,
  type KubeconfigRequest,
  listKubeconfigs,
  type NewKubeconfig,
  revokeKubeconfig,
} from './kubeconfigs.ts';
import { KubeletApprover } from './kubelet-certificates/approver.ts';
import { verifyWhenIssued } from './kubelet-certificates/transition.ts';
import { giveNodeToken, type NodeName, nodeToken, tokenAuthorityOf } from './node-tokens.ts';
import type { NodeKind } from './own-nodes.ts';
import type { ControlPlanePki } from './pki/pki.ts';
import { scopeOf } from './rollout.ts';
import { ControlPlaneSteps, stepTypes } from './steps.ts';

export interface ManagedClusterOptions {
  readonly driver: Driver;
  readonly runtime: ClusterRuntime;
  readonly log?: Log;
  /** The clock (milliseconds). */
  readonly now?: () => number;
  /** Of certificates. @default a year */
  readonly lifetimeMs?: number;
  /** The moment to save the store: it runs, and another version of Kubernetes is about to. */
  readonly beforeUpgrade?: (input: ControlPlaneInput, from: string) => Promise<void>;
}

export interface ClusterObserved {
  /** The control plane as a whole: the first of its conditions that is not True. */
  readonly ready: Verdict;
  /** Of its steps, in order, as far as they were tried. */
  readonly conditions: readonly Condition[];
  /** Absent while the API server does not tell. */
  readonly nodes?: ObservedNodes;
  /** Who signs its tokens; absent until it has keys. */
  readonly tokenAuthority?: TokenAuthority;
  /** What people should do something about although it works: an authority that ends. */
  readonly warnings: readonly string[];
}

export interface ManagedCluster {
  /**
   * One attempt; `observe` tells how far it is. Rejects where the change cannot be followed: then what runs is kept as it
   * was described before.
   */
  reconcile(input: ControlPlaneInput): Promise<Result>;
  observe(): ClusterObserved;
  onChange(listener: () => void): () => void;
  /** A credential of a person that ends by itself, and can be revoked before. */
  kubeconfig(request: KubeconfigRequest, access: Access): Promise<NewKubeconfig>;
  /** Those that have not ended. */
  kubeconfigs(): Promise<readonly IssuedKubeconfig[]>;
  /** False where there is none of this id. */
  revokeKubeconfig(id: string): Promise<boolean>;
  /** What a node gets when it joins. Ask again before it ends. */
  workerCredentials(): Promise<WorkerCredentials>;
  /** What the kubelet of demo nodes serves with at this address, for a day. */
  kubeletCertificate(address: string): Promise<Issued>;
  /** kubeadm's kind of token, for a real worker. */
  bootstrapToken(ttlMs: number): Promise<string>;
  /** Gives the cluster what machines that others provide need of it. */
  applyJoinedWorkers(wanted: JoinedWorkers): Promise<void>;
  /** Whether that was ever done. */
  hasJoinedWorkers(): Promise<boolean>;
  /** Whether an earlier release gave its nodes one token in common. */
  hasSharedToken(): Promise<boolean>;
  /** Nodes that others brought, as far as its API server tells. */
  joinedNodes(): readonly NodeName[];
  /** For the agent of a node that is there. */
  nodeToken(node: string, ttlMs: number): Promise<AccountToken>;
  /** The same, laid down where that node fetches it. */
  giveNodeToken(node: NodeName, ttlMs: number): Promise<AccountToken>;
  /** All nodes that are shut out of it now. */
  applyEvictions(nodes: readonly string[]): Promise<void>;
  /** Nobody joins any more by what was given away. */
  revokeJoinTokens(): Promise<void>;
  /** Which nodes of our own it is to have; those of another kind are removed, those of others never. */
  desireNodes(kind: NodeKind | 'none'): void;
  /** Keys on disk are others now, as after a restore: the next attempt reads them. */
  forgetKeys(): void;
  /** Stops it and deletes all that it kept, except its backups. */
  remove(): Promise<void>;
  /** Ends what goes on beside attempts; components stay as they are. */
  stop(): Promise<void>;
}

/** Somebody may have changed what we made. */
const resyncMs = 60_000;
/** How soon nodes are looked at after the start. */
const nodesMs = 5_000;
/** A time that is due and stays due must not become a loop. */
const shortestMs = 500;

/** How soon an attempt that is not done is made again. */
export const controlPlaneBackoff = { firstMs: 500, longestMs: 15_000 };

export function createManagedCluster(options: ManagedClusterOptions): ManagedCluster {
  const { driver, runtime, log = silentLog, now = Date.now, lifetimeMs, beforeUpgrade } = options;
  const steps = new ControlPlaneSteps({
    ...{ driver, runtime, log, now, beforeUpgrade },
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
  });
  const conditions = new ConditionSet();
  let input: ControlPlaneInput | undefined;
  // Known even of one whose first desired state was refused: it may have data.
  let place: Pick<ControlPlaneInput, 'cluster'> | undefined;

  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  let nodes: ClusterNodes | undefined;
  let kind: NodeKind | 'none' | undefined;
  let approver: KubeletApprover | undefined;
  const followNodes = ({ cluster }: ControlPlaneInput): void => {
    if (nodes === undefined) {
      const changed = (): void => {
        approver?.nodesChanged();
        tell();
      };
      nodes = new ClusterNodes({ cluster, client, log, changed });
      approver = new KubeletApprover({ cluster, client, log, nodes: () => nodes?.all() });
      if (kind !== undefined) nodes.want(kind);
    }
    nodes.follow();
    approver?.follow();
  };

  const attempt = async (accepted: ControlPlaneInput): Promise<Result> => {
    const before = conditions.all;
    const seen = nodes?.all();
    if (seen !== undefined && (await verifyWhenIssued(runtime, accepted.cluster, seen)))
      log.info('all nodes have certificates of the cluster: logs and exec go to no others', {
        cluster: accepted.cluster,
      });
    const after = conditions.replace(await runSteps(steps.of(accepted)), now());
    const done = isTrue(readyOf(after));
    if (before !== after) {
      if (done) followNodes(accepted);
      tell();
    }
    // Until its nodes have been seen it is not known whether all of them have certificates.
    const againMs = done && seen === undefined ? nodesMs : resyncMs;
    const dueMs = Math.min((steps.pki?.renewAt ?? Number.POSITIVE_INFINITY) - now(), againMs);
    return { done, progress: before !== after, requeueAfterMs: Math.max(dueMs, shortestMs) };
  };

  const ready = (): { readonly input: ControlPlaneInput; readonly pki: ControlPlanePki } => {
    if (input === undefined || steps.pki === undefined) throw notYet();
    return { input, pki: steps.pki };
  };
  const client = (): KubeClient => {
    ready();
    return steps.client();
  };
  let authority: { readonly of: string; readonly is: TokenAuthority } | undefined;
  const authorityOf = (): Pick<ClusterObserved, 'tokenAuthority'> => {
    const keys = steps.pki?.tokenKeys;
    if (input === undefined || keys === undefined) return {};
    const of = `${input.network.dnsDomain} ${keys}`;
    if (authority?.of !== of) authority = { of, is: tokenAuthorityOf(input, keys) };
    return { tokenAuthority: authority.is };
  };
  const stop = async (): Promise<void> => {
    await Promise.all([nodes?.stop(), approver?.stop()]);
    steps.close();
  };

  return {
    async reconcile(desired) {
      place = desired;
      const refusal = await refusalOf(desired, runtime);
      if (refusal === undefined) input = desired;
      const result = input === undefined ? undefined : await attempt(input);
      if (result === undefined || refusal !== undefined) throw refusal;
      return result;
    },
    observe() {
      const seen = nodes?.look();
      return {
        ready: readyOf(conditions.all),
        conditions: conditions.all,
        warnings: warningsOf(steps.pki),
        ...authorityOf(),
        ...(seen === undefined ? {} : { nodes: seen }),
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    desireNodes(wanted) {
      kind = wanted;
      nodes?.want(wanted);
    },
    async kubeconfig(request, access) {
      const { cluster } = ready().input;
      return issueKubeconfig(runtime.store, client(), { ...request, cluster, access, now: now() });
    },
    kubeconfigs: async () => listKubeconfigs(client(), now()),
    revokeKubeconfig: async (id) => revokeKubeconfig(client(), id),
    async workerCredentials() {
      const { input: known, pki } = ready();
      return workerCredentials(client(), pki.own.ca, known.konnectivity.server.tokenAudience);
    },
    async kubeletCertificate(address) {
      ready();
      return kubeletCertificate(runtime.store, address, now());
    },
    bootstrapToken: async (ttlMs) => createBootstrapToken(client(), now(), ttlMs),
    applyJoinedWorkers: async (wanted) => applyJoinedWorkers(client(), wanted),
    hasJoinedWorkers: async () => (await client().get(agentTokenPath)) !== undefined,
    hasSharedToken: async () => hasSharedToken(client()),
    joinedNodes: () => nodes?.others() ?? [],
    nodeToken: async (node, ttlMs) => nodeToken(client(), { name: node }, ttlMs),
    giveNodeToken: async (node, ttlMs) => giveNodeToken(client(), node, ttlMs),
    applyEvictions: async (evicted) => applyEvictions(client(), evicted),
    revokeJoinTokens: async () => revokeJoinTokens(client()),
    forgetKeys: () => steps.forgetKeys(),
    async remove() {
      await stop();
      if (place === undefined) return;
      await driver.remove(scopeOf(place.cluster));
      await runtime.remove();
    },
    stop,
  };
}

async function refusalOf(desired: ControlPlaneInput, runtime: ClusterRuntime): Promise<unknown> {
  try {
    refuseImpossible(desired, await readClusterState(runtime));
    return undefined;
  } catch (error) {
    return error;
  }
}

const warningsOf = (pki: ControlPlanePki | undefined): string[] =>
  (pki?.notices ?? []).flatMap(({ level, message }) => (level === 'warn' ? [message] : []));

function readyOf(conditions: readonly Condition[]): Verdict {
  const last = conditions.at(-1);
  if (last === undefined) return verdictFalse('NotStarted', 'it has not been started yet');
  if (isTrue(last) && last.type === stepTypes.readiness) return verdictTrue('ComponentsHealthy');
  const { status, reason, message, fix } = last;
  return { status, reason, message, ...(fix === undefined ? {} : { fix }) };
}

const notYet = (): CausewayError =>
  new CausewayError(
    'CW-CLUSTER-STARTING',
    'the control plane has no certificates yet',
    'wait until causeway status shows it as ready, and try again',
    exitCodes.internal,
  );
