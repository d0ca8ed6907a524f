// The worker side of a cluster of the world, as `causeway up` makes it.
import { appendFileSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { createProcessDriver } from '../../../src/control-plane/driver/index.ts';
import { platformHome, workerHome } from '../../../src/control-plane/home.ts';
import { silentLog } from '../../../src/net/log.ts';
import { createDemoWorkers } from '../../../src/workers/demo-workers.ts';
import { logLine } from '../../../src/workers/kubelet/pod-logs.ts';
import { createDemoProxies, type DemoProxies } from '../../../src/workers/proxies/demo-proxies.ts';
import type { DemoWorkers, WorkerInput } from '../../../src/workers/worker-input.ts';
import { until } from '../../support/gateway/until.ts';
import { serviceIp } from '../../support/kubernetes/cluster.ts';
import { type Kubectl, kubectlFor } from '../../support/kubernetes/kubectl.ts';
import type { Real, World } from './world.ts';

export interface WorkerSide {
  readonly workers: DemoWorkers;
  readonly proxies: DemoProxies;
  /** As the control plane sees them, asked without the gateway. */
  readonly kubectl: Kubectl;
  /** Names of the nodes that are Ready, for the control plane. */
  readyNodes(): Promise<readonly string[]>;
  /** As a pod does it: through the node agent. */
  fromPod(): Kubectl;
  /** Writes a line for a pod, on the worker's side. */
  say(pod: string, text: string): Promise<void>;
}

export function workerSide(
  t: TestContext,
  world: World,
  real: Real,
  name: string,
  options: { squid?: 'never' } = {},
): WorkerSide {
  const home = platformHome(world.directory);
  const driver = createProcessDriver({ directory: home.state, log: silentLog });
  const proxies = createDemoProxies({ driver, home, manifests: world.directory, ...options });
  const workers = createDemoWorkers({ cluster: name, driver, home, proxies, log: silentLog, leaseSeconds: 4 });
  t.after(async () => {
    await workers.stop();
    await driver.stop();
  });
  const seeded = world.clusters.get(name);
  if (seeded === undefined) throw new Error(`${name} has no control plane here`);
  const kubectl = kubectlFor(real.kubectl, seeded.cluster, { port: seeded.cluster.apiServer.port });
  return {
    workers,
    proxies,
    kubectl,
    readyNodes: async () => {
      const shown = await kubectl(['get', 'nodes', '--no-headers']);
      return shown.split('\n').flatMap((line) => (/^(\S+)\s+Ready\s/.exec(line)?.[1] ?? []) as string[]);
    },
    fromPod: () => {
      const host = readFileSync(path.join(workerHome(home, name), 'address'), 'utf8').trim();
      return kubectlFor(real.kubectl, seeded.cluster, { host, port: 6443, serverName: serviceIp });
    },
    say: async (pod, text) => {
      const pattern = path.join(workerHome(home, name), 'pod-logs', `default_${pod}_*`, '*.log');
      await until(() => globSync(pattern).length === 1);
      for (const file of globSync(pattern)) appendFileSync(file, logLine(text));
    },
  };
}

/** What the plan says of `planned`, for the worker side of `cluster`. */
export function inputFor(world: World, cluster: string, planned = cluster): WorkerInput {
  const { plan, gatewayAddress, gatewayAuthority } = world;
  const [endpoint, konnectivity, reachability] = [
    plan.endpoints[planned],
    plan.konnectivity[planned],
    plan.proxy.workers[planned],
  ];
  const proxy = plan.proxy.places[`cluster/${planned}/nodes`];
  const authority = world.clusters.get(cluster)?.cluster;
  if (!endpoint || !konnectivity || !reachability || !authority) throw new Error(`${planned} is not planned`);
  return {
    cluster,
    nodes: 2,
    kubernetesVersion: '1.36.3',
    endpoint,
    konnectivity,
    reachability,
    networks: ['127.40.0.0/24'],
    pods: ['172.25.0.0/16'],
    gateway: { address: gatewayAddress, authorityFile: gatewayAuthority.certFile },
    ...(proxy?.https === undefined ? {} : { proxy: { url: proxy.https, credentials: proxy.credentials } }),
    credentials: async () => ({
      ca: authority.authority.cert,
      user: { token: authority.token },
      konnectivityToken: 'nobody-asks-for-it-here',
      expiresAt: Date.now() + 3_600_000,
    }),
    tunnelToken: () => world.token(planned),
  };
}
