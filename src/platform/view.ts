// What a running platform tells: the command line, the API and the page show this and compute nothing of their own.

import type { IssuedKubeconfig, KubeconfigRequest, NewKubeconfig } from '../control-plane/index.ts';
import type { Finding } from '../model/index.ts';
import type { LoadMemory } from '../model/load/index.ts';
import type { Model } from '../model/schema/index.ts';
import type { PlanCache, Runtime } from '../plan/index.ts';
import type { Flow, Plan } from '../plan/schema/index.ts';
import type { OfferedVersions } from '../programs/index.ts';
import type { Condition } from '../reconcile/index.ts';
import type { ObservedComponent, PlatformEvent, ProgramProgress } from '../runtime/platform-runtime.ts';
import type { Eviction } from './join/evictions.ts';
import type { JoinInfo } from './join/join-info.ts';

export type { PlatformEvent, ProgramProgress };

export interface ClusterStatus {
  readonly name: string;
  /** kubectl works, and its workers, if we run any, are Ready. */
  readonly ready: boolean;
  /** Starting: it has not been ready since the platform began to look after it, and is within its time. */
  readonly phase: 'starting' | 'ready' | 'failing';
  /** Why it is not ready, for people; what it is doing meanwhile. */
  readonly reason?: string;
  /** What a person can do about it, where something is known. */
  readonly fix?: string;
  /** Ready, of which `ready`, `reason` and `fix` are taken, and what it is made of, from the inside out. */
  readonly conditions: readonly Condition[];
  /** What it goes through; absent once it has been ready, and where something else runs it. */
  readonly steps?: readonly StartStep[];
  /** How long each step of its last start was waited for; absent until it has been ready. */
  readonly timings?: readonly StepTiming[];
  /** What kubectl dials, as in its kubeconfig. */
  readonly endpoint?: string;
  readonly strategy: 'NodePort' | 'LoadBalancer' | 'Tunneling';
  readonly managed: boolean;
  readonly version: string;
  readonly nodes?: { readonly ready: number; readonly total: number };
}

/** One step of a start. */
export interface StartStep {
  /** Stable: certificates, programs, etcd, api-server, bootstrap, controllers, konnectivity, readiness, gateway, workers. */
  readonly name: string;
  readonly title: string;
  readonly state: 'done' | 'active' | 'waiting' | 'failed';
  /** What it is doing, or why it does not go on. */
  readonly detail?: string;
  /** Of one that is done: how long it was waited for. */
  readonly seconds?: number;
}

export type StepTiming = Required<Pick<StartStep, 'name' | 'title' | 'seconds'>>;

/** The gateway's own figures for one cluster, summed since its process was started. */
export interface Traffic {
  readonly open: number;
  readonly accepted: number;
  readonly refused: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** One part of the way between users or workers and a control plane, and whether it works now. */
export interface Hop {
  /** Stable: gateway/SEED, api/shop, kubelet/shop, konnectivity/shop, agent/shop, proxy/shop. */
  readonly id: string;
  /** Nodes of the topology: users, gateway/SEED, cluster/NAME, workers/NAME, proxy/HOST:PORT. */
  readonly from: string;
  readonly to: string;
  readonly title: string;
  readonly healthy: boolean | undefined;
  /** It has not worked since the platform began to look after its cluster, which is starting. */
  readonly starting?: true;
  readonly why?: string;
  readonly fix?: string;
  /** host:port that is dialled. */
  readonly address?: string;
  /** All ports that it needs, and no other. */
  readonly ports: readonly number[];
  /** What firewalls must allow for it, as in the plan; none where no firewall stands between. */
  readonly flows: readonly Flow[];
  /** Where `healthy` was seen from, in words: it may not be where `from` is. */
  readonly seenFrom?: string;
  readonly lastWorked?: number;
  readonly traffic?: Traffic;
}

export interface PlatformView {
  /** Of the manifests. */
  readonly directory: string;
  readonly startedAt: number;
  readonly phase: 'starting' | 'running' | 'stopping';
  /** Ready first. */
  readonly conditions: readonly Condition[];
  /** The last good model and plan; absent until the manifests could be read once. */
  readonly model: Model | undefined;
  readonly plan: Plan | undefined;
  /** Of the manifests as they are now. */
  readonly findings: readonly Finding[];
  /** The manifests as they are now cannot be applied; what runs is an earlier state. */
  readonly broken: boolean;
  readonly clusters: readonly ClusterStatus[];
  readonly components: readonly ObservedComponent[];
  readonly programs: readonly ProgramProgress[];
  readonly hops: readonly Hop[];
  readonly traffic: ReadonlyMap<string, Traffic>;
}

export interface LiveConnection {
  readonly cluster: string;
  /** Of whose agent it came, where its token says so. */
  readonly node?: string;
  readonly target: 'apiServer' | 'konnectivity';
  readonly listener: string;
  readonly client: string;
  readonly ageMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** A running platform, as the API and the tests hold it. */
export interface Platform {
  /** Of the manifests as they were read: whoever reads them too need not parse them again. */
  readonly memory: LoadMemory;
  /** What the last plan leaves for the next one; whoever plans these manifests passes it in. */
  readonly planCache: PlanCache;
  /** What runs its control planes: plans of what its manifests might become are made for it too. */
  readonly runtime: Runtime;
  view(): PlatformView;
  /** Called, at most every 100 ms, when the view has changed. */
  onChange(listener: () => void): () => void;
  events(options: { readonly after?: number; readonly limit: number }): readonly PlatformEvent[];
  onEvent(listener: (event: PlatformEvent) => void): () => void;
  /** Adds to the history, and tells it: who did what through the API. */
  record(event: Omit<PlatformEvent, 'id' | 'at'>): void;
  connections(cluster?: string): Promise<readonly LiveConnection[]>;
  logs(scope: string, name: string, lines: number): Promise<readonly string[]>;
  followLogs(scope: string, name: string, line: (text: string) => void): () => void;
  /** A credential of a person that ends by itself, and can be revoked before. */
  kubeconfig(cluster: string, request: KubeconfigRequest): Promise<NewKubeconfig>;
  /** Those of a cluster that have not ended. */
  kubeconfigs(cluster: string): Promise<readonly IssuedKubeconfig[]>;
  /** False where there is none of this id. */
  revokeKubeconfig(cluster: string, id: string): Promise<boolean>;
  /** All that a machine needs to become a worker; its token ends after `ttlMs`. */
  join(cluster: string, ttlMs: number): Promise<JoinInfo>;
  /**
   * Shuts a node out: nothing comes through the tunnel any more by its token, and its kubelet changes nothing. Resolves
   * when the gateway does so; with a warning where the API server could not be told yet.
   */
  evictNode(cluster: string, node: string): Promise<{ readonly warning?: string }>;
  /** Lets it in again. False where it was not shut out. */
  readmitNode(cluster: string, node: string): Promise<boolean>;
  /** Those that are shut out, oldest first. */
  evictedNodes(cluster: string): readonly Eviction[];
  /** What could not be brought about if the manifests were these: by running clusters, or with programs that can be had. */
  objections(planned: { readonly model: Model; readonly plan: Plan }): Promise<readonly Finding[]>;
  /** Versions of Kubernetes that a cluster can have. */
  kubernetesVersions(): Promise<OfferedVersions>;
  /** When a certificate of the plan ends (milliseconds); undefined where it is not made yet, or somebody else's. */
  certificateEnd(name: string): number | undefined;
  /** Its manifest has just gone, because somebody asked for the deletion: what it kept on disk goes with it. */
  expectDeletion(cluster: string): void;
  /** Reads the manifests now instead of waiting for the watcher. Resolves when what was read is being applied. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}
