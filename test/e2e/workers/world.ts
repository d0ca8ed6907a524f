// A seed as the template `local` plans it, with one real control plane that all its clusters' ways lead to: etcd, API
// server, node lifecycle and konnectivity, and in front of them the gateway. Addresses are of this test alone.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { RunningGateway } from '../../../src/gateway/engine.ts';
import type { Snapshot } from '../../../src/gateway/snapshot/snapshot.ts';
import { builtInEngine } from '../../../src/gateway/supervisor/index.ts';
import type { GatewayCluster, Plan } from '../../../src/plan/schema/index.ts';
import { run } from '../../support/child-process.ts';
import { causeway, copyOf } from '../../support/cli.ts';
import { type Authority, createAuthority } from '../../support/gateway/certificates.ts';
import { createTokenKey, tokenFor } from '../../support/gateway/tokens.ts';
import { type Cluster, startCluster } from '../../support/kubernetes/cluster.ts';
import { type KonnectivityServer, socketIn, startKonnectivityServer } from '../../support/kubernetes/konnectivity.ts';

export interface World {
  readonly directory: string;
  readonly plan: Plan;
  readonly gatewayAddress: string;
  readonly gatewayAuthority: Authority;
  readonly clusters: ReadonlyMap<string, Seeded>;
  token(cluster: string): string;
  startGateway(): Promise<void>;
  stopGateway(): Promise<void>;
}

export interface Seeded {
  readonly cluster: Cluster;
  readonly konnectivity: KonnectivityServer;
}

export type Real = Record<
  'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kubectl' | 'konnectivity-server',
  string
>;

export async function createWorld(t: TestContext, real: Real, names: readonly string[]): Promise<World> {
  const directory = copyOf(t, 'local');
  const gatewayAddress = moveAway(directory);
  const plan = JSON.parse(causeway(['plan', '-o', 'json', directory]).stdout) as Plan;
  const clusters = new Map<string, Seeded>();
  for (const name of names) clusters.set(name, await startSeeded(t, real, plan, path.join(directory, '..'), name));
  const gatewayAuthority = createAuthority(path.join(directory, '..', 'gateway'), 'gateway');
  const key = createTokenKey();
  const snapshot = snapshotOf(plan, clusters, gatewayAuthority, key.publicKey);
  let gateway: RunningGateway | undefined;
  const world = {
    ...{ directory, plan, gatewayAddress, gatewayAuthority, clusters },
    token: (cluster: string) => tokenFor(cluster, key),
    startGateway: async () => {
      gateway = await builtInEngine.start({ snapshot, addresses: [gatewayAddress], workers: 1 });
    },
    stopGateway: async () => {
      await gateway?.stop(0);
      gateway = undefined;
    },
  };
  t.after(() => world.stopGateway());
  await world.startGateway();
  return world;
}

/** Addresses that no other platform on this machine has. */
function moveAway(directory: string): string {
  const [a, b] = [70 + Math.floor(Math.random() * 100), Math.floor(Math.random() * 250)];
  for (const file of globSync(`${directory}/**/*.yaml`))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('127.50.0.', `127.${a}.${b}.`));
  return `127.${a}.${b}.2`;
}

async function startSeeded(t: TestContext, real: Real, plan: Plan, parent: string, name: string): Promise<Seeded> {
  const certificates = (service: string) => plan.certificates.filter((one) => one.name.startsWith(`${service}-`));
  const flat = (service: string) => ({
    dns: [...new Set(certificates(service).flatMap(({ dnsNames }) => dnsNames))],
    ips: [...new Set(certificates(service).flatMap(({ ips }) => ips))],
  });
  const directory = path.join(parent, name);
  const egress = path.join(parent, `egress-${name}.json`);
  writeFileSync(egress, JSON.stringify(egressSelector(socketIn(directory))));
  const flags = (authority: Authority): string[] => {
    const client = authority.issue({ commonName: 'kube-apiserver-kubelet-client' });
    return [
      `--egress-selector-config-file=${egress}`,
      `--kubelet-client-certificate=${client.certFile}`,
      `--kubelet-client-key=${client.keyFile}`,
      '--kubelet-preferred-address-types=InternalIP',
    ];
  };
  const cluster = await startCluster(t, real, name, parent, { names: flat('apiserver'), flags });
  const { dns, ips } = flat('konnectivity');
  const konnectivity = await startKonnectivityServer(t, real['konnectivity-server'], cluster, [...dns, ...ips]);
  startNodeLifecycle(t, real['kube-controller-manager'], cluster);
  return { cluster, konnectivity };
}

const egressSelector = (socket: string): object => ({
  apiVersion: 'apiserver.k8s.io/v1beta1',
  kind: 'EgressSelectorConfiguration',
  egressSelections: [
    {
      name: 'cluster',
      connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: socket } } },
    },
  ],
});

/** Short periods, so that a test need not wait for minutes. */
function startNodeLifecycle(
  t: TestContext,
  program: string,
  { directory, apiServer, authority, token }: Cluster,
): void {
  const kubeconfig = path.join(directory, 'controller-manager.json');
  const server = { server: `https://${apiServer.target}`, 'certificate-authority': authority.certFile };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'it',
      contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
      users: [{ name: 'it', user: { token } }],
      clusters: [{ name: 'it', cluster: server }],
    }),
  );
  run(t, {
    program,
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--controllers=node-lifecycle-controller',
      '--node-monitor-period=500ms',
      '--node-monitor-grace-period=4s',
      '--leader-elect=false',
      '--secure-port=0',
      '--use-service-account-credentials=false',
    ],
  });
}

/** Every way of every cluster of the plan leads to the control plane of the same name, or else to the first one. */
function snapshotOf(
  plan: Plan,
  seeded: ReadonlyMap<string, Seeded>,
  authority: Authority,
  publicKey: string,
): Snapshot {
  const planned = plan.gateway.local;
  const [first] = seeded.values();
  if (planned === undefined || first === undefined) throw new Error('the plan has no gateway');
  const { certFile, keyFile } = authority.issue({ commonName: 'tunnel', dns: [planned.tunnel.name] });
  const placed = ([name, route]: [string, GatewayCluster]): [string, GatewayCluster] => {
    const { cluster, konnectivity } = seeded.get(name) ?? first;
    return [
      name,
      {
        ...route,
        apiServer: { ...route.apiServer, backends: [cluster.apiServer.target] },
        konnectivity: { ...route.konnectivity, backends: [konnectivity.target] },
      },
    ];
  };
  return {
    ...planned,
    tunnel: { ...planned.tunnel, certificate: { certFile, keyFile }, publicKeys: [publicKey] },
    clusters: Object.fromEntries(Object.entries(planned.clusters).map(placed)),
  };
}
