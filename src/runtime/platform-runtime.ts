// What a platform asks of the runtime that it runs on: processes and files of one machine, or objects of Kubernetes. A
// platform knows no other part of a runtime; tests put another one in its place.
import type {
  Access,
  AccountToken,
  ClusterRuntime,
  ControlPlaneInput,
  Driver,
  IssuedKubeconfig,
  JoinedWorkers,
  KubeconfigRequest,
  NewKubeconfig,
  NodeKind,
  NodeName,
  Observed,
  ObservedNodes,
} from '../control-plane/index.ts';
import type { HostPort } from '../core/host-port.ts';
import type { EngineOptions, GatewayStatus, RunningGateway } from '../gateway/index.ts';
import type { TokenAuthority } from '../net/index.ts';
import type { Issued } from '../pki/index.ts';
import type { Planned, Runtime } from '../plan/index.ts';
import type { Endpoint, KonnectivityPlan, Reachability } from '../plan/schema/index.ts';
import type { KubernetesVersions } from '../programs/index.ts';
import type { Condition, Result, Verdict } from '../reconcile/index.ts';
import type { Log } from '../sys/log.ts';

export interface PlatformRuntime {
  /** What it can run, for the plan. */
  readonly capabilities: Runtime;
  readonly versions: KubernetesVersions;
  /** What the platform keeps between starts: for one process at a time. Rejects where another one has it. */
  open(): Promise<PlatformState>;
  driver(options: { readonly log: Log; changed(): void }): PlatformDriver;
  gateway(seed: string, options?: { readonly lifetimeMs?: number }): Promise<GatewayRuntime>;
  controlPlane(options: ClusterOptions): Promise<ControlPlane>;
  workers(kind: NodeKind, options: ClusterOptions, secrets: WorkerSecrets): Promise<WorkerSide>;
  /** Removes workers of an earlier start that nobody wants any more. */
  releaseWorkers(log: Log): Promise<void>;
  /** The platform itself and its gateways, observed like any other component. */
  ownComponents(gateways: readonly ObservedGateway[], since: number): readonly ObservedComponent[];
  /** What is kept of clusters, whether or not they run. */
  readonly data: ClusterData;
  /** Of a proxy, with the credentials that the reference of the manifests leads to. */
  proxyUrl(proxy: ReferencedProxy): string;
  /** A bundle of authorities that the manifests name; undefined where there is none. */
  bundleText(name: string): string | undefined;
  /** When a certificate of the plan ends (milliseconds); undefined where it is not made yet, or somebody else's. */
  certificateEnd(name: string): number | undefined;
  /** Whether an address leads nowhere from another machine. */
  isLocal(address: string): boolean;
  /** What to say where there is too little of something for so many control planes. */
  capacityWarning(controlPlanes: number): string | undefined;
}

/** Open from the start of a platform to its end. */
export interface PlatformState {
  readonly events: EventStore;
  /** A text that was kept under this name; undefined where there is none. */
  read(name: string): string | undefined;
  write(name: string, text: string): void;
  /** Gives it back, so that another process can have it. The events are closed before. */
  close(): Promise<void>;
}

export interface PlatformEvent {
  /** Rises by one; survives restarts. */
  readonly id: number;
  readonly at: number;
  readonly kind: 'change' | 'component' | 'finding' | 'cluster' | 'access' | 'platform';
  readonly level: 'info' | 'warn' | 'error';
  /** Cluster/shop, component/cluster/shop/etcd … */
  readonly subject: string;
  readonly message: string;
}

export type NewEvent = Omit<PlatformEvent, 'id' | 'at'>;

export interface EventStore {
  add(event: NewEvent): PlatformEvent;
  /** Oldest first: those after an id, or the newest ones. */
  read(options: { readonly after?: number; readonly limit: number }): readonly PlatformEvent[];
  close(): void;
}

export interface ClusterData {
  /** Clusters that left something behind, whether or not they are wanted now. */
  clusters(): Promise<readonly string[]>;
  of(cluster: string): Pick<ClusterRuntime, 'store' | 'hasData'>;
  /** Of a cluster whose manifest is gone: keeps it aside. Where it is now, for people; undefined when there was nothing. */
  setAside(cluster: string, now: Date): Promise<string | undefined>;
  /** All that it kept but its backups. */
  remove(cluster: string): Promise<void>;
}

/** A program that is being fetched or built. */
export interface ProgramProgress {
  readonly name: string;
  readonly doing: string;
  readonly seconds: number;
}

/** With what a person needs in order to look at it where it runs. */
export interface ObservedComponent extends Observed {
  /** Where it is a process. */
  readonly pid?: number;
  readonly logFile: string;
}

export interface PlatformDriver extends Driver {
  look(): readonly ObservedComponent[];
  /** Programs that are being fetched or built. */
  getting(): readonly ProgramProgress[];
}

/** The gateway of one seed. */
export interface GatewayRuntime {
  readonly keys: GatewayKeys;
  /** With the certificate of these keys. Its status tells whether the snapshot is in force by then, or is to be applied. */
  start(options: Omit<EngineOptions, 'directory'>): Promise<RunningGateway>;
}

export interface GatewayKeys {
  /** PEM: agents trust the gateway with it. */
  readonly authority: string;
  /** PEM; signs agents' tokens. */
  readonly tokenKey: string;
  token(cluster: string, ttlMs: number, node?: string): string;
  /** Of an authority that ends: a new one is never made behind anybody's back, because every agent must be given it. */
  readonly warning: string | undefined;
  /** When to ask for a renewal again (milliseconds). */
  readonly dueAt: number;
  /** True when the gateway must read its certificate again. */
  renew(names: readonly string[]): Promise<boolean>;
}

export interface ObservedGateway {
  readonly seed: string;
  readonly healthy: boolean;
  /** Undefined where all of it works. */
  readonly problem: Verdict | undefined;
  readonly restarts: number;
  readonly workers: GatewayStatus['workers'];
}

export interface ClusterOptions {
  readonly name: string;
  readonly driver: PlatformDriver;
  readonly log: Log;
  /** Into the history, for people. */
  say(message: string): void;
  /** An attempt at its control plane that begins now; resolves when it has ended. */
  reconcileNow(): Promise<void>;
  changed(): void;
}

export interface ControlPlane {
  /** Where the gateway of its seed reaches it. */
  readonly upstreams: ControlPlaneUpstreams;
  /** One attempt. Rejects where the change cannot be followed. */
  reconcile(input: ControlPlaneInput): Promise<Result>;
  observe(): {
    readonly ready: Verdict;
    /** Of its steps, in order, as far as they were tried. */
    readonly conditions: readonly Condition[];
    readonly nodes?: ObservedNodes;
    /** Who signs its tokens; absent until it has keys. */
    readonly tokenAuthority?: TokenAuthority;
  };
  kubeconfig(request: KubeconfigRequest, access: Access): Promise<NewKubeconfig>;
  kubeconfigs(): Promise<readonly IssuedKubeconfig[]>;
  revokeKubeconfig(id: string): Promise<boolean>;
  /** What a node gets when it joins. */
  workerCredentials(): Promise<NodeCredentials & { readonly kubeProxyToken: string }>;
  /** What the kubelet of demo nodes serves with at this address, for a day. */
  kubeletCertificate(address: string): Promise<Issued>;
  /** kubeadm's kind of token, with which a real machine joins. */
  bootstrapToken(ttlMs: number): Promise<string>;
  /** Which nodes of our own it is to have; those of another kind are removed, those of others never. */
  desireNodes(kind: NodeKind | 'none'): void;
  /** Gives the cluster what machines that others bring need of it. */
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
  /** Stops it and removes all that it kept. */
  remove(): Promise<void>;
  /** Ends what goes on beside its processes. */
  stop(): void | Promise<void>;
}

export interface ControlPlaneUpstreams {
  readonly apiServer: HostPort;
  readonly konnectivity: HostPort;
}

/** The worker side of one cluster, as far as the runtime plays it. */
export interface WorkerSide {
  reconcile(desired: DesiredWorkers): Promise<void>;
  look(): WorkersView;
  remove(): Promise<void>;
  stop(): Promise<void>;
}

/** All that the worker side of a cluster may know, but for secrets, which it asks for when it needs them. */
export interface DesiredWorkers {
  readonly cluster: string;
  readonly nodes: number;
  readonly kubernetesVersion: string;
  readonly endpoint: Endpoint;
  readonly konnectivity: KonnectivityPlan;
  readonly reachability: Reachability;
  /** Of the datacenter's nodes. */
  readonly networks: readonly string[];
  readonly pods: readonly string[];
  /** Where the seed's gateway is, because no name need be known to DNS; absent where it has no address of its own. */
  readonly gatewayAddress?: string;
  /** Absent: they reach the gateway directly. */
  readonly proxy?: ReferencedProxy;
  /** For a real worker, whose firewall is the whole plan's. */
  readonly planned?: Planned;
}

/** The credentials are a reference, as in the manifests. */
export interface ReferencedProxy {
  readonly url: string;
  readonly credentials?: unknown;
}

export interface WorkerSecrets {
  readonly controlPlane: ControlPlane;
  /** For the agent of this node. One of a node that is not there yet ends soon. */
  tunnelToken(node: string, ttlMs: number): Promise<AccountToken>;
}

export interface NodeCredentials {
  /** PEM: whom to believe that it is the API server, or the konnectivity server. */
  readonly ca: string;
  readonly user: { readonly cert: string; readonly key: string } | { readonly token: string };
  /** With the audience of the konnectivity server. */
  readonly konnectivityToken: string;
  /** When the first of these ends (milliseconds). */
  readonly expiresAt: number;
}

export interface WorkersView {
  readonly kind: NodeKind;
  /** Only with Tunneling. */
  readonly nodeAgent?: Verdict;
  readonly konnectivityAgent: Verdict;
  readonly nodes: Verdict & { readonly ready: number; readonly total: number };
  /** Only where this machine runs the proxy. */
  readonly proxy?: Verdict;
}
