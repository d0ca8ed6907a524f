// A managed cluster that is reconciled as a platform does it: again when its components change, when it is due, and after
// a failure.
import type { Driver } from '../../../src/control-plane/component.ts';
import type { ControlPlaneInput } from '../../../src/control-plane/control-plane.ts';
import {
  controlPlaneBackoff,
  createManagedCluster,
  type ManagedCluster,
  type ManagedClusterOptions,
} from '../../../src/control-plane/managed-cluster.ts';
import { CausewayError } from '../../../src/core/errors.ts';
import { isTrue, Reconciler } from '../../../src/reconcile/index.ts';

export interface ReconciledCluster extends Omit<ManagedCluster, 'reconcile'> {
  /** Resolves after an attempt that began after this call; rejects where the change was refused. */
  reconcile(input: ControlPlaneInput): Promise<void>;
  isReady(): boolean;
}

export function reconciledCluster(options: ManagedClusterOptions & { readonly driver: Driver }): ReconciledCluster {
  const cluster = createManagedCluster(options);
  const reconciler = new Reconciler<ControlPlaneInput>({
    reconcile: (_, input) => cluster.reconcile(input),
    backoff: controlPlaneBackoff,
  });
  const forget = options.driver.onChange(() => reconciler.wake('cluster'));
  const stop = async (): Promise<void> => {
    forget();
    await reconciler.stop();
  };
  return {
    ...cluster,
    async reconcile(input) {
      reconciler.desire('cluster', input);
      await reconciler.run('cluster');
      const { failure } = reconciler.state('cluster');
      if (failure !== undefined) throw new CausewayError(failure.reason, failure.message, failure.fix ?? '');
    },
    isReady: () => isTrue(cluster.observe().ready),
    async stop() {
      await stop();
      await cluster.stop();
    },
    async remove() {
      await stop();
      await cluster.remove();
    },
  };
}
