// What a real worker is made from.
import type { Model } from '../../model/schema/index.ts';
import type { Plan } from '../../plan/schema/index.ts';

export interface RealWorkerInput {
  readonly cluster: string;
  readonly kubernetesVersion: string;
  readonly plan: Plan;
  readonly model: Model;
  readonly network: {
    readonly pods: readonly string[];
    readonly services: readonly string[];
    readonly dnsDomain: string;
  };
  readonly credentials: RealWorkerCredentials;
}

/** All that a machine gets to become a worker: two authorities to trust, and tokens. */
export interface RealWorkerCredentials {
  /** PEM. */
  readonly clusterCa: string;
  /** As kubeadm's: id.secret. */
  readonly bootstrapToken: string;
  /** Of the service account of kube-proxy. */
  readonly kubeProxyToken: string;
  /** Of the service account of konnectivity agents, with the audience of the plan. */
  readonly konnectivityToken: string;
  /** PEM; for the tunnel. */
  readonly gatewayCa: string;
  readonly gatewayToken: string;
}
