// What the worker side of a cluster is built from, and what it tells. It knows what a worker may know: where to dial,
// whom to trust, and credentials that somebody gave it. No key of a control plane comes here.
import type { AccountToken } from '../../../control-plane/index.ts';
import type { Credentials } from '../../../net/index.ts';
import type { Issued } from '../../../pki/index.ts';
import type { DesiredWorkers, NodeCredentials, WorkersView } from '../../platform-runtime.ts';

export interface WorkerInput extends Omit<DesiredWorkers, 'gatewayAddress' | 'planned'> {
  /** The seed's gateway: where it is, because no name need be known to DNS, and who vouches for its tunnel. */
  readonly gateway: { readonly address: string; readonly authorityFile: string };
  /** Gives this worker what a node gets when it joins; asked again in time. */
  credentials(): Promise<NodeCredentials>;
  /** What its kubelet serves with at this address, for a day. */
  kubeletCertificate(address: string): Promise<Issued>;
  /** For the node agent; asked for where there is a tunnel. */
  tunnelToken(node: string, ttlMs: number): Promise<AccountToken>;
}

/** With what the reference leads to. */
export interface WorkerProxy {
  /** http://host:port, without credentials. */
  readonly url: string;
  readonly credentials?: Credentials;
}

export interface DemoWorkers {
  /** Brings them to this; answers when all of it was started, not when it works. */
  reconcile(input: WorkerInput): Promise<void>;
  look(): WorkersView;
  /** Stops all of it, and forgets what it knew. */
  remove(): Promise<void>;
  stop(): Promise<void>;
}
