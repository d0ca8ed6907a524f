// What the worker side of a cluster is built from, and what it tells. It knows what a worker may know: where to dial,
// whom to trust, and credentials that somebody gave it. No key of a control plane comes here.
import type { Credentials } from '../../../net/index.ts';
import type { Endpoint, KonnectivityPlan, Reachability } from '../../../plan/schema/index.ts';

export interface WorkerInput {
  readonly cluster: string;
  readonly nodes: number;
  readonly kubernetesVersion: string;
  readonly endpoint: Endpoint;
  readonly konnectivity: KonnectivityPlan;
  readonly reachability: Reachability;
  /** Of the datacenter's nodes; one address of those that are loopback is theirs here. */
  readonly networks: readonly string[];
  readonly pods: readonly string[];
  /** The seed's gateway: where it is, because no name need be known to DNS, and who vouches for its tunnel. */
  readonly gateway: { readonly address: string; readonly authorityFile: string };
  /** Absent: they reach the gateway directly. The credentials are a reference, as in the manifests. */
  readonly proxy?: { readonly url: string; readonly credentials?: unknown };
  /** Gives this worker what a node gets when it joins; asked again in time. */
  credentials(): Promise<NodeCredentials>;
  /** For the node agent; asked for where there is a tunnel. */
  tunnelToken(ttlMs: number): string;
}

/** With what the reference leads to. */
export interface WorkerProxy {
  /** http://host:port, without credentials. */
  readonly url: string;
  readonly credentials?: Credentials;
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

export interface Health {
  readonly healthy: boolean;
  readonly why?: string;
  readonly fix?: string;
}

export interface WorkersView {
  readonly kind: 'demo' | 'real';
  /** Only with Tunneling. */
  readonly nodeAgent?: Health;
  readonly konnectivityAgent: Health;
  readonly nodes: Health & { readonly ready: number; readonly total: number };
  /** Only where this machine runs the proxy. */
  readonly proxy?: Health;
}

export interface DemoWorkers {
  /** Brings them to this; answers when all of it was started, not when it works. */
  reconcile(input: WorkerInput): Promise<void>;
  look(): WorkersView;
  /** Stops all of it, and forgets what it knew. */
  remove(): Promise<void>;
  stop(): Promise<void>;
}
