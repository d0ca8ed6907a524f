// The worker side of a cluster, demo or real, in one form. Secrets are asked for when they are needed.
import { createDemoWorkers } from '../runtime/local/workers/demo-workers.ts';
import { createDemoProxies, type DemoProxies } from '../runtime/local/workers/proxies/demo-proxies.ts';
import { createRealWorker } from '../runtime/local/workers/real/real-worker.ts';
import type { ClusterRuntimeOptions, WorkerSecrets, WorkerSide } from './runtime.ts';

type Side = (options: ClusterRuntimeOptions, secrets: WorkerSecrets) => WorkerSide;

export const createSides = (): Readonly<Record<'demo' | 'real', Side>> => ({ demo: createDemoSides(), real: realSide });

/** A proxy may stand before several clusters, so all demo workers of a platform share one set of them. */
function createDemoSides(): Side {
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

/** Good for one start; a machine that has joined has a certificate of its own. */
const bootstrapMs = 60 * 60_000;

function realSide(options: ClusterRuntimeOptions, { controlPlane, tunnelToken }: WorkerSecrets): WorkerSide {
  const worker = createRealWorker({ ...options, cluster: options.name });
  const credentials = async () => ({
    ...(await controlPlane.workerCredentials()),
    bootstrapToken: await controlPlane.bootstrapToken(bootstrapMs),
  });
  return {
    reconcile({ planned, ...wish }) {
      if (planned === undefined) throw new TypeError('a real worker needs the whole plan');
      return worker.reconcile({ ...wish, planned, credentials, tunnelToken });
    },
    look: () => worker.look(),
    remove: () => worker.remove(),
    stop: () => worker.stop(),
  };
}
