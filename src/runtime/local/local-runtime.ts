// The runtime of this machine: programs of Kubernetes as its processes, all that they keep in files beside the manifests.
import {
  type ComponentId,
  type ControlPlaneInput,
  createManagedCluster,
  type ManagedCluster,
} from '../../control-plane/index.ts';
import { isLoopback } from '../../core/host-port.ts';
import { builtInEngine, type GatewayEngine } from '../../gateway/index.ts';
import { supportedMinors } from '../../plan/index.ts';
import { kubernetesVersions } from '../../programs/index.ts';
import { tellingOfDisk } from '../../sys/private-files.ts';
import type {
  ClusterData,
  ClusterOptions,
  ControlPlane,
  GatewayRuntime,
  PlatformRuntime,
} from '../platform-runtime.ts';
import { ClusterBackups } from './backup/cluster-backups.ts';
import { localRuntime } from './capabilities.ts';
import { certificateEnd } from './certificate-end.ts';
import { gatewayId } from './gateway/component.ts';
import { gatewayProcess, startLocalGateway } from './gateway/local-gateway.ts';
import { programDigest } from './gateway/program.ts';
import { gatewayDirectory, gatewayKeys } from './gateway-keys.ts';
import { clusterHome, type PlatformHome, platformHome } from './home.ts';
import { keptIn, type LocalCluster, localCluster } from './local-cluster.ts';
import { openState } from './local-state.ts';
import { gatewayPrefix, ownComponents } from './own-components.ts';
import { ownLog } from './own-log.ts';
import { rememberPorts } from './ports.ts';
import { loopback } from './resolve-workload.ts';
import { type AllowedSecrets, bundleText, type SecretReference } from './secret-places.ts';
import { clustersOnDisk, removeData, setAside } from './set-aside.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { tooFewWatches } from './watch-limit.ts';
import { proxyCredentials } from './workers/proxies/proxy-credentials.ts';
import { releaseOwn } from './workers/real/registry.ts';
import { proxyUrl } from './workers/upstreams.ts';

export interface LocalRuntimeOptions {
  /** Of the manifests; absolute. */
  readonly directory: string;
  /** Where secrets may be, besides the usual places. */
  readonly secrets?: AllowedSecrets;
}

export interface LocalRuntime extends PlatformRuntime {
  /** Of a cluster whose control plane runs here. */
  backupsOf(cluster: string): ClusterBackups | undefined;
}

export function createLocalRuntime(options: LocalRuntimeOptions): LocalRuntime {
  const { directory: manifests } = options;
  const home = platformHome(manifests);
  // Loaded where they are played.
  const sides = once(async () => (await import('./workers/worker-sides.ts')).createSides());
  const backups = new Map<string, ClusterBackups>();
  const digest = once(programDigest);
  let processes: Supervisor | undefined;
  return {
    ...machineOf(options),
    versions: kubernetesVersions({ minors: supportedMinors }),
    backupsOf: (cluster) => backups.get(cluster),
    driver({ log, changed }) {
      const driver = createSupervisor({ directory: home.state, log });
      driver.onProgress(changed);
      processes = driver;
      return {
        ...driver,
        look: () => driver.look().filter(({ scope }) => !scope.startsWith('gateway/')),
        tail: (id, lines) => driver.tail(loggedAs(id), lines),
        follow: (id, line) => driver.follow(loggedAs(id), line),
      };
    },
    async gateway(seed, settings) {
      return {
        keys: await gatewayKeys(gatewayDirectory(home, seed), settings),
        start: async (starting) =>
          startLocalGateway({ ...starting, seed, home, processes: processes as Supervisor, digest: digest() }),
      };
    },
    ownComponents: (gateways, since) =>
      ownComponents(home, gateways, since, (seed) => processes && gatewayProcess(processes, seed)),
    async controlPlane(cluster) {
      const ports = await rememberPorts(clusterHome(home, cluster.name));
      const place = localCluster({ cluster: cluster.name, home: clusterHome(home, cluster.name), ports });
      return hostedHere(place, manifests, cluster, processes as Supervisor, backups);
    },
    workers: async (kind, cluster, secrets) => (await sides())[kind]({ ...cluster, home, manifests }, secrets),
  };
}

/** What needs no process: also for tests, whose control planes run nothing. */
export function machineOf({
  directory: manifests,
  secrets = {},
}: LocalRuntimeOptions): Omit<PlatformRuntime, 'versions' | 'driver' | 'controlPlane' | 'workers'> {
  const home = platformHome(manifests);
  return {
    capabilities: localRuntime,
    open: () => openState(manifests, secrets),
    gateway: (seed, options) => gatewayIn(gatewayDirectory(home, seed), builtInEngine, options),
    releaseWorkers: (log) => releaseOwn(home, log),
    ownComponents: (gateways, since) => ownComponents(home, gateways, since),
    data: dataIn(home),
    proxyUrl: ({ url, credentials: reference }) =>
      reference === undefined
        ? url
        : proxyUrl({ url, credentials: proxyCredentials(reference as SecretReference, { manifests }) }),
    bundleText: (file) => bundleText(file, { manifests }),
    certificateEnd: (name) => certificateEnd(home, name),
    isLocal: isLoopback,
    capacityWarning: tooFewWatches,
  };
}

export const dataIn = (home: PlatformHome): ClusterData => ({
  clusters: async () => clustersOnDisk(home),
  of: (cluster) => keptIn(clusterHome(home, cluster)),
  setAside: (cluster, now) =>
    tellingOfDisk(`the data of ${cluster} was not put aside`, async () => setAside(home, cluster, now)),
  remove: (cluster) => tellingOfDisk(`the data of ${cluster} was not removed`, async () => removeData(home, cluster)),
});

async function gatewayIn(
  directory: string,
  engine: GatewayEngine,
  options?: { readonly lifetimeMs?: number },
): Promise<GatewayRuntime> {
  return {
    keys: await gatewayKeys(directory, options),
    start: (starting) => engine.start({ ...starting, directory }),
  };
}

function hostedHere(
  place: LocalCluster,
  manifests: string,
  { name, driver, log, say, reconcileNow, changed }: ClusterOptions,
  processes: Supervisor,
  backups: Map<string, ClusterBackups>,
): ControlPlane {
  const keysChanged = (): Promise<void> => {
    cluster.forgetKeys();
    return reconcileNow();
  };
  const saved = new ClusterBackups({ place, driver: processes, log, manifests, keysChanged });
  const beforeUpgrade = async (input: ControlPlaneInput, from: string): Promise<void> => {
    const backup = await saved.beforeUpgrade(input, from);
    say(`${name} was saved as ${backup.name}, and goes from Kubernetes ${from} to ${input.kubernetesVersion}`);
  };
  const cluster = createManagedCluster({ driver, runtime: place, log, beforeUpgrade });
  cluster.onChange(changed);
  backups.set(name, saved);
  return {
    ...withBackups(cluster, saved, () => backups.delete(name)),
    upstreams: {
      apiServer: { host: loopback, port: place.ports.apiServer },
      konnectivity: { host: loopback, port: place.ports.konnectivityAgents },
    },
  };
}

/** Done when it is first asked for. */
function once<Thing>(make: () => Thing): () => Thing {
  let made: { readonly thing: Thing } | undefined;
  return () => {
    made ??= { thing: make() };
    return made.thing;
  };
}

function withBackups(cluster: ManagedCluster, saved: ClusterBackups, forget: () => unknown): ManagedCluster {
  const end = (): void => {
    saved.stop();
    forget();
  };
  return {
    ...cluster,
    reconcile(input) {
      saved.want(input);
      return cluster.reconcile(input);
    },
    stop() {
      end();
      return cluster.stop();
    },
    remove() {
      end();
      return cluster.remove();
    },
  };
}

/** A gateway is shown as a component of the platform, and driven by itself. */
const loggedAs = (id: ComponentId): ComponentId =>
  id.name.startsWith(gatewayPrefix) && id.scope === ownLog.scope ? gatewayId(id.name.slice(gatewayPrefix.length)) : id;
