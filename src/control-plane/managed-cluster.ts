// One control plane that we run: brought to what is wanted, kept there, and its certificates renewed, until it is removed.
import { rmSync } from 'node:fs';
import { CausewayError, exitCodes } from '../core/errors.ts';
import type { KubeClient } from '../kube/client.ts';
import { type Log, silentLog } from '../net/log.ts';
import { agentTokenPath, applyOwnWorkers, type OwnWorkers } from './bootstrap/own-workers.ts';
import type { Role } from './bootstrap/people.ts';
import { BringUp, type ResolveWorkloads } from './bring-up.ts';
import { ClusterNodes, type NodesSeen } from './cluster-nodes.ts';
import { readClusterState, refuseImpossible } from './cluster-state.ts';
import type { Driver } from './component.ts';
import type { Access, ControlPlaneInput } from './control-plane.ts';
import { createBootstrapToken, kubeconfigFor, type WorkerCredentials, workerCredentials } from './credentials.ts';
import type { NodeKind } from './own-nodes.ts';
import type { ControlPlanePki } from './pki/pki.ts';
import { scopeOf } from './rollout.ts';
import { StepLoop } from './step-loop.ts';
import { runSteps, type StepAnswer } from './steps.ts';

export interface ManagedClusterOptions {
  readonly driver: Driver;
  readonly resolve: ResolveWorkloads;
  readonly log?: Log;
  /** The clock (milliseconds). */
  readonly now?: () => number;
  /** Of certificates. @default a year */
  readonly lifetimeMs?: number;
  /** The moment to save the store: it runs, and another version of Kubernetes is about to. */
  readonly beforeUpgrade?: (input: ControlPlaneInput, from: string) => Promise<void>;
}

export interface ClusterLook {
  readonly ready: boolean;
  /** Why it is not, for people. */
  readonly reason?: string;
  readonly next?: string;
  readonly steps: readonly StepAnswer[];
  /** Absent while the API server does not tell. */
  readonly nodes?: NodesSeen;
  /** What people should do something about although it works: an authority that ends. */
  readonly warnings: readonly string[];
}

export interface ManagedCluster {
  /**
   * Brings it to this, and keeps it there. Resolves when that is under way; `look` tells how far it is. Rejects where
   * the change cannot be followed, and goes on as before then.
   */
  reconcile(input: ControlPlaneInput): Promise<void>;
  look(): ClusterLook;
  onChange(listener: () => void): () => void;
  /** A credential that ends by itself, after a year where nothing else is said. */
  kubeconfig(role: Role, access: Access, ttlMs?: number): Promise<string>;
  /** What a node gets when it joins. Ask again before it ends. */
  workerCredentials(): Promise<WorkerCredentials>;
  /** kubeadm's kind of token, for a real worker. */
  bootstrapToken(ttlMs: number): Promise<string>;
  /** Gives the cluster what machines that others bring need of it. */
  ownWorkers(wanted: OwnWorkers): Promise<void>;
  /** Whether that was ever done. */
  hasOwnWorkers(): Promise<boolean>;
  /** Which nodes of our own it is to have; those of another kind are removed, those of others never. */
  ownNodes(kind: NodeKind | 'none'): void;
  /** Stops it and deletes all that it kept, except its backups. */
  remove(): Promise<void>;
  /** Leaves the components as they are, and looks after them no more. */
  stop(): Promise<void>;
}

export function createManagedCluster(options: ManagedClusterOptions): ManagedCluster {
  const { driver, resolve, log = silentLog, now = Date.now, lifetimeMs, beforeUpgrade } = options;
  const bringUp = new BringUp({
    ...{ driver, resolve, log, now, beforeUpgrade },
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
  });
  let input: ControlPlaneInput | undefined;
  // Known even of one whose first wish was refused: it may have data.
  let place: Pick<ControlPlaneInput, 'cluster' | 'home'> | undefined;
  const loop = new StepLoop({
    pass: async () => (input === undefined ? [] : await runSteps(bringUp.steps(input))),
    wakeAt: () => bringUp.pki?.renewAt ?? Number.POSITIVE_INFINITY,
    now,
  });
  const forget = driver.onChange((scopes) => {
    if (place !== undefined && scopes.has(scopeOf(place.cluster))) loop.wake();
  });

  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  let nodes: ClusterNodes | undefined;
  let kind: NodeKind | 'none' | undefined;
  const followNodes = ({ cluster }: ControlPlaneInput): void => {
    if (nodes === undefined) {
      const client = (): KubeClient => bringUp.client(ready().input);
      nodes = new ClusterNodes({ cluster, client, log, changed: tell });
      if (kind !== undefined) nodes.want(kind);
    }
    nodes.follow();
  };
  loop.onChange(() => {
    if (input !== undefined && lookOf(loop.answers).ready) followNodes(input);
    tell();
  });

  const ready = (): { readonly input: ControlPlaneInput; readonly pki: ControlPlanePki } => {
    if (input === undefined || bringUp.pki === undefined) throw notYet();
    return { input, pki: bringUp.pki };
  };
  const stop = async (): Promise<void> => {
    forget();
    await nodes?.stop();
    await loop.stop();
    bringUp.close();
  };

  return {
    async reconcile(wanted) {
      place = wanted;
      refuseImpossible(wanted, readClusterState(wanted.home));
      input = wanted;
      await loop.run();
    },
    look() {
      const seen = nodes?.look();
      return {
        ...lookOf(loop.answers),
        warnings: warningsOf(bringUp.pki),
        ...(seen === undefined ? {} : { nodes: seen }),
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ownNodes(wanted) {
      kind = wanted;
      nodes?.want(wanted);
    },
    async kubeconfig(role, access, ttlMs) {
      const {
        input: { cluster },
        pki,
      } = ready();
      return kubeconfigFor(pki, { cluster, role, access, now: now(), ttlMs });
    },
    async workerCredentials() {
      const { input: known, pki } = ready();
      return workerCredentials(bringUp.client(known), pki, known.konnectivity.server.tokenAudience);
    },
    bootstrapToken: async (ttlMs) => createBootstrapToken(bringUp.client(ready().input), now(), ttlMs),
    ownWorkers: async (wanted) => applyOwnWorkers(bringUp.client(ready().input), wanted),
    hasOwnWorkers: async () => (await bringUp.client(ready().input).get(agentTokenPath)) !== undefined,
    async remove() {
      await stop();
      if (place === undefined) return;
      await driver.remove(scopeOf(place.cluster));
      for (const own of [place.home.root, place.home.konnectivitySocket]) rmSync(own, { recursive: true, force: true });
    },
    stop,
  };
}

const lastStep = 'readiness';

const warningsOf = (pki: ControlPlanePki | undefined): string[] =>
  (pki?.notices ?? []).flatMap(({ level, message }) => (level === 'warn' ? [message] : []));

function lookOf(steps: readonly StepAnswer[]): Omit<ClusterLook, 'warnings'> {
  const last = steps.at(-1);
  if (last === undefined) return { ready: false, reason: 'it has not been started yet', steps };
  if (last.healthy && last.name === lastStep) return { ready: true, steps };
  return { ready: false, reason: last.why, ...(last.next === undefined ? {} : { next: last.next }), steps };
}

const notYet = (): CausewayError =>
  new CausewayError(
    'CW-CLUSTER-STARTING',
    'the control plane has no certificates yet',
    'wait until causeway status shows it as ready, and try again',
    exitCodes.internal,
  );
