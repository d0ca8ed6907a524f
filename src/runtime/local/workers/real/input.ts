// What a real worker is made from: what demo workers are made from, and the whole plan for its firewall.
import type { Model } from '../../../../model/schema/index.ts';
import type { Plan } from '../../../../plan/schema/index.ts';
import type { NodeCredentials, WorkerInput } from '../worker-input.ts';

export interface RealWorkerInput extends Omit<WorkerInput, 'nodes' | 'networks' | 'proxy' | 'credentials'> {
  readonly planned: { readonly plan: Plan; readonly model: Model };
  /** Asked again before they end. */
  credentials(): Promise<RealNodeCredentials>;
}

/** All that a machine gets to become a worker. */
export interface RealNodeCredentials extends Omit<NodeCredentials, 'user'> {
  /** As kubeadm's: id.secret. */
  readonly bootstrapToken: string;
  /** Of the service account of kube-proxy. */
  readonly kubeProxyToken: string;
}

/** What it was given, at the time when its components are described. */
export interface Secrets extends RealNodeCredentials {
  /** PEM: who vouches for the gateway. */
  readonly gatewayCa: string;
  readonly tunnelToken: string;
}
