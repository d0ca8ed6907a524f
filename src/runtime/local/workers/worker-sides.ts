// The worker side of a cluster, demo or real, in one form. Secrets are asked for when they are needed.
import type { NodeKind } from '../../../control-plane/index.ts';
import type { ClusterOptions, DesiredWorkers, WorkerSecrets, WorkerSide } from '../../platform-runtime.ts';
import { authorityFileOf, gatewayDirectory } from '../gateway-keys.ts';
import type { PlatformHome } from '../home.ts';
import { loopback } from '../resolve-workload.ts';
import { createDemoWorkers } from './demo-workers.ts';
import { createDemoProxies, type DemoProxies } from './proxies/demo-proxies.ts';
import { createRealWorker } from './real/real-worker.ts';
import type { WorkerInput } from './worker-input.ts';

interface SideOptions extends ClusterOptions {
  readonly home: PlatformHome;
  /** Directory of the manifests. */
  readonly manifests: string;
}

type Side = (options: SideOptions, secrets: WorkerSecrets) => WorkerSide;

export const createSides = (): Readonly<Record<NodeKind, Side>> => ({ demo: createDemoSides(), real: realSide });

/** A proxy may stand before several clusters, so all demo workers of a platform share one set of them. */
function createDemoSides(): Side {
  let proxies: DemoProxies | undefined;
  return (options, { controlPlane, tunnelToken }) => {
    proxies ??= createDemoProxies(options);
    const workers = createDemoWorkers({ ...options, cluster: options.name, proxies });
    const secrets = {
      credentials: () => controlPlane.workerCredentials(),
      kubeletCertificate: (address: string) => controlPlane.kubeletCertificate(address),
      tunnelToken,
    };
    return {
      reconcile: ({ planned: _, ...desired }) =>
        workers.reconcile({ ...withGateway(options.home, desired), ...secrets }),
      look: () => workers.look(),
      remove: () => workers.remove(),
      stop: () => workers.stop(),
    };
  };
}

/** Good for one start; a machine that has joined has a certificate of its own. */
const bootstrapMs = 60 * 60_000;

function realSide(options: SideOptions, { controlPlane, tunnelToken }: WorkerSecrets): WorkerSide {
  const worker = createRealWorker({ ...options, cluster: options.name });
  const credentials = async () => ({
    ...(await controlPlane.workerCredentials()),
    bootstrapToken: await controlPlane.bootstrapToken(bootstrapMs),
  });
  return {
    reconcile({ planned, ...desired }) {
      if (planned === undefined) throw new TypeError('a real worker needs the whole plan');
      return worker.reconcile({ ...withGateway(options.home, desired), planned, credentials, tunnelToken });
    },
    look: () => worker.look(),
    remove: () => worker.remove(),
    stop: () => worker.stop(),
  };
}

const withGateway = (
  home: PlatformHome,
  { gatewayAddress = loopback, ...desired }: Omit<DesiredWorkers, 'planned'>,
): Omit<WorkerInput, 'credentials' | 'kubeletCertificate' | 'tunnelToken'> => ({
  ...desired,
  gateway: {
    address: gatewayAddress,
    authorityFile: authorityFileOf(gatewayDirectory(home, desired.endpoint.seed)),
  },
});
