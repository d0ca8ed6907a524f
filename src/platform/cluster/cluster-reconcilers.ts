// The reconcilers of all clusters that this machine runs, by the name of the cluster: one of their control planes, one of
// their worker sides. The driver and the observers wake them.
import { type ControlPlaneInput, controlPlaneBackoff, type Scope } from '../../control-plane/index.ts';
import { Reconciler, type ReconcileState, type Result, reconciled } from '../../reconcile/index.ts';
import type { DesiredWorkers } from '../../runtime/platform-runtime.ts';
import type { HostedCluster } from './hosted-cluster.ts';

export interface ClusterReconcilersOptions {
  get(cluster: string): HostedCluster | undefined;
  changed(): void;
}

export class ClusterReconcilers {
  readonly #options: ClusterReconcilersOptions;
  readonly #controlPlanes: Reconciler<ControlPlaneInput>;
  readonly #workers: Reconciler<DesiredWorkers>;

  constructor(options: ClusterReconcilersOptions) {
    this.#options = options;
    const { get, changed } = options;
    this.#controlPlanes = new Reconciler({
      reconcile: async (cluster, desired) => (await get(cluster)?.controlPlane.reconcile(desired)) ?? reconciled,
      changed: (cluster) => {
        if (!this.#workers.state(cluster).done) this.#workers.wake(cluster);
        changed();
      },
      backoff: controlPlaneBackoff,
    });
    this.#workers = new Reconciler({
      reconcile: (cluster, desired) => this.#reconcileWorkers(cluster, desired),
      changed,
    });
  }

  desire(cluster: string, controlPlane: ControlPlaneInput, workers: DesiredWorkers): void {
    this.#controlPlanes.desire(cluster, controlPlane);
    if (this.#options.get(cluster)?.workers !== undefined) this.#workers.desire(cluster, workers);
  }

  /** Components of these scopes have changed. */
  wake(scopes: Iterable<Scope>): void {
    for (const scope of scopes)
      if (scope.startsWith('cluster/')) this.#controlPlanes.wake(scope.slice('cluster/'.length));
  }

  /** An attempt at the control plane that begins after this call; resolves when it has ended. */
  reconcileNow(cluster: string): Promise<void> {
    return this.#controlPlanes.run(cluster);
  }

  state(cluster: string, of: 'controlPlane' | 'workers'): ReconcileState {
    return (of === 'controlPlane' ? this.#controlPlanes : this.#workers).state(cluster);
  }

  /** Resolves when nothing is attempted for it any more. */
  async forget(cluster: string): Promise<void> {
    await Promise.all([this.#controlPlanes.forget(cluster), this.#workers.forget(cluster)]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#controlPlanes.stop(), this.#workers.stop()]);
  }

  /** They get their credentials from a control plane that works, and are never newer than it. */
  async #reconcileWorkers(cluster: string, desired: DesiredWorkers): Promise<Result> {
    if (!this.#controlPlanes.state(cluster).done) return { done: false };
    await this.#options.get(cluster)?.workers?.reconcile(desired);
    return reconciled;
  }
}
