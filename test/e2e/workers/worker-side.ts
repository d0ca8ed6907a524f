// The worker side of a cluster of the world, as `causeway up` makes it.
import { appendFileSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { workerHome } from '../../../src/runtime/local/home.ts';
import { createDemoWorkers } from '../../../src/runtime/local/workers/demo-workers.ts';
import { logLine } from '../../../src/runtime/local/workers/kubelet/pod-logs.ts';
import { createDemoProxies, type DemoProxies } from '../../../src/runtime/local/workers/proxies/demo-proxies.ts';
import type { DemoWorkers, WorkerInput } from '../../../src/runtime/local/workers/worker-input.ts';
import { silentLog } from '../../../src/sys/log.ts';
import { until } from '../../support/gateway/until.ts';
import { serviceIp } from '../../support/kubernetes/cluster.ts';
import { type Kubectl, kubectlWith } from '../control-plane/scene.ts';
import type { Seeded, World } from './world.ts';

export interface WorkerSide {
  readonly workers: DemoWorkers;
  readonly proxies: DemoProxies;
  /** As the control plane sees them, asked without the gateway. */
  readonly kubectl: Kubectl;
  /** Names of the nodes that are Ready, for the control plane. */
  readyNodes(): Promise<readonly string[]>;
  /** As a pod does it: through the node agent. */
  fromPod(): Promise<Kubectl>;
  /** Writes a line for a pod, on the worker's side. */
  say(pod: string, text: string): Promise<void>;
}

export interface SideOptions {
  readonly kubectl: string;
  readonly squid?: 'never';
}

export async function workerSide(
  t: TestContext,
  world: World,
  name: string,
  options: SideOptions,
): Promise<WorkerSide> {
  const { driver, home, directory } = world;
  const { cluster, input } = seededAs(world, name);
  const proxies = createDemoProxies({ driver, home, manifests: directory, ...(options.squid && { squid: 'never' }) });
  const workers = createDemoWorkers({ cluster: name, driver, home, proxies, log: silentLog, leaseSeconds: 4 });
  t.after(() => workers.stop());
  const kubectlAt = async (server: string, serverName?: string): Promise<Kubectl> => {
    const access = { server, ...(serverName === undefined ? {} : { serverName }) };
    return kubectlWith(
      options.kubectl,
      path.join(directory, '..'),
      (await cluster.kubeconfig({ person: 'ann', role: 'admin' }, access)).text,
    );
  };
  const kubectl = await kubectlAt(`https://127.0.0.1:${input.ports.apiServer}`);
  return {
    workers,
    proxies,
    kubectl,
    readyNodes: async () => {
      const shown = await kubectl('get', 'nodes', '--no-headers');
      return shown.split('\n').flatMap((line) => (/^(\S+)\s+Ready\s/.exec(line)?.[1] ?? []) as string[]);
    },
    fromPod: () => {
      const host = readFileSync(path.join(workerHome(home, name), 'address'), 'utf8').trim();
      return kubectlAt(`https://${host}:6443`, serviceIp);
    },
    say: async (pod, text) => {
      const pattern = path.join(workerHome(home, name), 'pod-logs', `default_${pod}_*`, '*.log');
      await until(() => globSync(pattern).length === 1, 30_000);
      for (const file of globSync(pattern)) appendFileSync(file, logLine(text));
    },
  };
}

function seededAs({ clusters }: World, name: string): Seeded {
  const found = clusters.get(name);
  if (found === undefined) throw new Error(`${name} has no control plane here`);
  return found;
}

/** What the plan says of `planned`, for the worker side of `cluster`. */
export function inputFor(world: World, cluster: string, planned = cluster): WorkerInput {
  const { plan, gatewayAddress, gatewayAuthority } = world;
  const [endpoint, konnectivity, reachability] = [
    plan.endpoints[planned],
    plan.konnectivity[planned],
    plan.proxy.workers[planned],
  ];
  if (!endpoint || !konnectivity || !reachability) throw new Error(`${planned} is not planned`);
  const proxy = plan.proxy.places[`cluster/${planned}/nodes`];
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
    credentials: () => seededAs(world, cluster).cluster.workerCredentials(),
    kubeletCertificate: (address) => seededAs(world, cluster).cluster.kubeletCertificate(address),
    tunnelToken: async () => ({ token: world.token(planned), expiresAt: Date.now() + 3_600_000 }),
  };
}
