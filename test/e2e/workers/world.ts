// A seed as the template `local` plans it: real control planes, and in front of them the gateway. Addresses are of this
// test alone.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Driver } from '../../../src/control-plane/component.ts';
import type { ControlPlaneInput } from '../../../src/control-plane/control-plane.ts';
import { builtInEngine, type RunningGateway, type Snapshot } from '../../../src/gateway/index.ts';
import { manifestDirectory, manifestReader } from '../../../src/manifests/index.ts';
import type { Certificate, GatewayCluster, Plan } from '../../../src/plan/schema/index.ts';
import { controlPlaneInput, type Planned } from '../../../src/platform/cluster/cluster-input.ts';
import { localRuntime } from '../../../src/runtime/local/capabilities.ts';
import { type ClusterPlace, clusterHome, type PlatformHome, platformHome } from '../../../src/runtime/local/home.ts';
import { createSupervisor, localCluster } from '../../../src/runtime/local/index.ts';
import { rememberPorts } from '../../../src/runtime/local/ports.ts';
import { silentLog } from '../../../src/sys/log.ts';
import { copyOf } from '../../support/cli.ts';
import { type Authority, createAuthority } from '../../support/gateway/certificates.ts';
import { createTokenKey, tokenFor } from '../../support/gateway/tokens.ts';
import { until } from '../../support/gateway/until.ts';
import { type ReconciledCluster, reconciledCluster } from '../../support/kubernetes/reconciled-cluster.ts';

export interface World {
  readonly directory: string;
  readonly home: PlatformHome;
  readonly driver: Driver;
  readonly plan: Plan;
  readonly gatewayAddress: string;
  readonly gatewayAuthority: Authority;
  readonly clusters: ReadonlyMap<string, Seeded>;
  token(cluster: string): string;
  startGateway(): Promise<void>;
  stopGateway(): Promise<void>;
}

export interface Seeded {
  readonly cluster: ReconciledCluster;
  readonly input: ControlPlaneInput & ClusterPlace;
}

export async function createWorld(t: TestContext, names: readonly string[]): Promise<World> {
  const directory = copyOf(t, 'local');
  const gatewayAddress = moveAway(directory);
  const { planned } = await manifestReader(manifestDirectory(directory), { runtime: localRuntime })();
  if (planned === undefined) throw new Error('the example cannot be planned');
  const home = platformHome(directory);
  const driver = withShortGracePeriod(createSupervisor({ directory: home.state, log: silentLog }));
  t.after(() => driver.stop());
  const started = names.map(async (name) => [name, await startSeeded(t, planned, driver, home, name)] as const);
  const clusters = new Map(await Promise.all(started));
  const gatewayAuthority = createAuthority(path.join(directory, '..', 'gateway'), 'gateway');
  const key = createTokenKey();
  const snapshot = snapshotOf(planned.plan, clusters, gatewayAuthority, key.publicKey);
  let gateway: RunningGateway | undefined;
  const world = {
    ...{ directory, home, driver, plan: planned.plan, gatewayAddress, gatewayAuthority, clusters },
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

/** Nodes count as lost after seconds, so that a test need not wait for minutes. */
function withShortGracePeriod(driver: Driver): Driver {
  const flags = ['--node-monitor-period=500ms', '--node-monitor-grace-period=4s'];
  return {
    ...driver,
    apply: (scope, specs) =>
      driver.apply(
        scope,
        specs.map((spec) =>
          spec.name === 'kube-controller-manager' ? { ...spec, args: [...spec.args, ...flags] } : spec,
        ),
      ),
  };
}

async function startSeeded(
  t: TestContext,
  planned: Planned,
  driver: Driver,
  platform: PlatformHome,
  name: string,
): Promise<Seeded> {
  const home = clusterHome(platform, name);
  const model = planned.model.clusters.find(({ metadata }) => metadata.name === name);
  const own = model && controlPlaneInput(planned, model);
  if (own === undefined) throw new Error(`${name} is not planned`);
  const certificates = {
    apiServer: withAllNames(planned.plan, 'apiserver', own.certificates.apiServer),
    konnectivity: withAllNames(planned.plan, 'konnectivity', own.certificates.konnectivity),
  };
  const input = { ...own, certificates, home, ports: await rememberPorts(home) };
  const cluster = reconciledCluster({ driver, runtime: localCluster(input) });
  t.after(() => cluster.stop());
  await cluster.reconcile(input);
  await until(() => cluster.isReady(), 120_000).catch((error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(cluster.observe())}`);
  });
  return { cluster, input };
}

/** One control plane is reached by the ways of several clusters. */
function withAllNames({ certificates }: Plan, service: string, own: Certificate): Certificate {
  const all = certificates.filter(({ name }) => name.startsWith(`${service}-`));
  const flat = (of: 'dnsNames' | 'ips'): string[] => [...new Set(all.flatMap((one) => one[of]))];
  return { ...own, dnsNames: flat('dnsNames'), ips: flat('ips') };
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
    const { ports } = (seeded.get(name) ?? first).input;
    return [
      name,
      {
        ...route,
        apiServer: { ...route.apiServer, backends: [`127.0.0.1:${ports.apiServer}`] },
        konnectivity: { ...route.konnectivity, backends: [`127.0.0.1:${ports.konnectivityAgents}`] },
      },
    ];
  };
  return {
    ...planned,
    tunnel: { ...planned.tunnel, certificate: { certFile, keyFile }, publicKeys: [publicKey] },
    clusters: Object.fromEntries(Object.entries(planned.clusters).map(placed)),
  };
}
