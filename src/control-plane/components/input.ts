// What the workloads of a control plane are made from: the plan, and what a runtime can have of it.
import type { PodSecurity } from '../../model/schema/index.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import type { LeafName } from '../pki/pki.ts';

export interface WorkloadInput
  extends Pick<
    ControlPlaneInput,
    'cluster' | 'kubernetesVersion' | 'endpoint' | 'konnectivity' | 'network' | 'oidc' | 'size'
  > {
  readonly podSecurity: PodSecurity;
  /** False in clusters from before, while their nodes may serve with certificates of their own making. */
  readonly verifiesKubelets: boolean;
  /** Changes whenever the certificate does, for programs that do not read it again by themselves. */
  readonly marks: Readonly<Record<LeafName, string>>;
}

/** How many of each run; API servers, each with its konnectivity server, are as many as the plan says. */
export interface ControlPlaneSize {
  /** Members of the store: 1, 3 or 5. */
  readonly etcd: number;
  /** Of the controller manager and of the scheduler: with more than one they elect a leader. */
  readonly controllers: number;
}

export const oneOfEach: ControlPlaneSize = { etcd: 1, controllers: 1 };

/** Names under which workloads of a control plane refer to each other. */
export const workloadNames = {
  etcd: 'etcd',
  apiServer: 'kube-apiserver',
  controllerManager: 'kube-controller-manager',
  scheduler: 'kube-scheduler',
} as const;

/** Whoever connects from outside the control plane: the shared entry of the seed. */
export const gatewayPeer = 'gateway';
