// The worker side of a cluster, demo or real, in one form. Secrets are asked for when they are needed.
import { createDemoWorkers } from '../workers/demo-workers.ts';
import { createDemoProxies, type DemoProxies } from '../workers/proxies/demo-proxies.ts';
import type { ClusterParts, WorkerSecrets, WorkerSide } from './parts.ts';

/** A proxy may stand before several clusters, so all demo workers of a platform share one set of them. */
export function createDemoSides(): (options: ClusterParts, secrets: WorkerSecrets) => WorkerSide {
  let proxies: DemoProxies | undefined;
  return (options, { controlPlane, tunnelToken }) => {
    proxies ??= createDemoProxies(options);
    const workers = createDemoWorkers({ ...options, cluster: options.name, proxies });
    const credentials = () => controlPlane.workerCredentials();
    return {
      reconcile: ({ planned: _, ...wish }) => workers.reconcile({ ...wish, credentials, tunnelToken }),
      look: () => workers.look(),
      remove: () => workers.remove(),
      stop: () => workers.stop(),
    };
  };
}
