// What runs the control planes, as far as the plan depends on it: a plan promises nothing that its runtime cannot do.

export interface Runtime {
  /** For people, where it limits a setting. */
  readonly name: string;
  /** API servers of one control plane, each with a konnectivity server beside it, that run at a time. */
  readonly mostReplicas: number;
  /** Konnectivity agents are pods of a Deployment, or one process on each machine with workers. */
  readonly agents: 'replicas' | 'one-per-machine';
}

export const kubernetesRuntime: Runtime = {
  name: 'Kubernetes',
  mostReplicas: Number.POSITIVE_INFINITY,
  agents: 'replicas',
};
