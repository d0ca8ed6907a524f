// What a platform is put together from. Tests put other things in their place.
import type { JoinedWorkers } from '../control-plane/bootstrap/joined-workers.ts';
import type { ObservedNodes } from '../control-plane/cluster-nodes.ts';
import type { Driver } from '../control-plane/component.ts';
import type { Access, ControlPlaneInput } from '../control-plane/control-plane.ts';
import type { NodeKind } from '../control-plane/own-nodes.ts';
import type { KubernetesVersions } from '../programs/index.ts';
import type { Condition, Result, Verdict } from '../reconcile/index.ts';
import type { ClusterHome, PlatformHome } from '../runtime/local/home.ts';
import type { InnerPorts } from '../runtime/local/ports.ts';
import type { NodeCredentials, WorkerInput, WorkersView } from '../runtime/local/workers/worker-input.ts';
import type { Log } from '../sys/log.ts';
import type { Planned } from './cluster/cluster-input.ts';
import type { KubeconfigRole, ProgramProgress } from './view.ts';

export interface PlatformDriver extends Driver {
  /** Programs that are being fetched or built. */
  getting(): readonly ProgramProgress[];
}

export interface ControlPlane {
  /** One attempt. Rejects where the change cannot be followed. */
  reconcile(input: ControlPlaneInput): Promise<Result>;
  observe(): {
    readonly ready: Verdict;
    /** Of its steps, in order, as far as they were tried. */
    readonly conditions: readonly Condition[];
    readonly nodes?: ObservedNodes;
  };
  kubeconfig(role: KubeconfigRole, access: Access, ttlMs?: number): Promise<string>;
  /** What a node gets when it joins. */
  workerCredentials(): Promise<NodeCredentials & { readonly kubeProxyToken: string }>;
  /** kubeadm's kind of token, with which a real machine joins. */
  bootstrapToken(ttlMs: number): Promise<string>;
  /** Which nodes of our own it is to have; those of another kind are removed, those of others never. */
  desireNodes(kind: NodeKind | 'none'): void;
  /** Gives the cluster what machines that others bring need of it. */
  applyJoinedWorkers(wanted: JoinedWorkers): Promise<void>;
  /** Whether that was ever done. */
  hasJoinedWorkers(): Promise<boolean>;
  /** Stops it and removes all that it kept. */
  remove(): Promise<void>;
  /** Ends what goes on beside its processes. */
  stop(): void | Promise<void>;
}

/** The worker side of one cluster, as far as this machine plays it. */
export interface WorkerSide {
  reconcile(wish: DesiredWorkers): Promise<void>;
  look(): WorkersView;
  remove(): Promise<void>;
  stop(): Promise<void>;
}

/** All that its worker side may know, but for secrets, which it asks for when it needs them. */
export type DesiredWorkers = Omit<WorkerInput, 'credentials' | 'tunnelToken'> & {
  /** For a real worker, whose firewall is the whole plan's. */
  readonly planned?: Planned;
};

export interface WorkerSecrets {
  readonly controlPlane: ControlPlane;
  /** For its node agent. */
  tunnelToken(ttlMs: number): string;
}

export interface ClusterRuntimeOptions {
  readonly name: string;
  /** Directory of the manifests. */
  readonly manifests: string;
  readonly driver: PlatformDriver;
  readonly home: PlatformHome;
  readonly ports: InnerPorts;
  readonly log: Log;
  /** Into the history, for people. */
  say(message: string): void;
  /** An attempt at its control plane that begins now; resolves when it has ended. */
  reconcileNow(): Promise<void>;
  changed(): void;
}

export interface PlatformRuntime {
  driver(options: { readonly home: PlatformHome; readonly log: Log; changed(): void }): PlatformDriver;
  controlPlane(options: ClusterRuntimeOptions): ControlPlane;
  workers(kind: 'demo' | 'real', options: ClusterRuntimeOptions, secrets: WorkerSecrets): Promise<WorkerSide>;
  ports(home: ClusterHome): Promise<InnerPorts>;
  readonly versions: KubernetesVersions;
}
