// A seed with one real control plane behind our gateway, and everything a real worker of it is given.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Snapshot } from '../../../src/gateway/index.ts';
import { settingsOf } from '../../../src/plan/settings/index.ts';
import { controlPlaneInput } from '../../../src/platform/cluster/cluster-input.ts';
import { clusterHome } from '../../../src/runtime/local/home.ts';
import { createSupervisor, localCluster, type Supervisor } from '../../../src/runtime/local/index.ts';
import { rememberPorts } from '../../../src/runtime/local/ports.ts';
import type { RealWorkerInput } from '../../../src/runtime/local/workers/real/parts.ts';
import { createRealWorker, type RealWorker } from '../../../src/runtime/local/workers/real/real-worker.ts';
import { silentLog } from '../../../src/sys/log.ts';
import { createAuthority } from '../../support/gateway/certificates.ts';
import { startGateway } from '../../support/gateway/own-gateway.ts';
import { createTokenKey, type TokenKey, tokenFor } from '../../support/gateway/tokens.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { type ReconciledCluster, reconciledCluster } from '../../support/kubernetes/reconciled-cluster.ts';
import { cluster, createScene, type Scene } from './scene.ts';

export interface Seed extends Scene {
  readonly driver: Supervisor;
  readonly managed: ReconciledCluster;
  readonly worker: RealWorker;
  readonly input: RealWorkerInput;
  kubectl(...args: string[]): Promise<string>;
}

const run = promisify(execFile);

/** The control plane is ready, the gateway serves it, and the worker waits to be started. */
export async function createSeed(t: Undo, kubectl: string): Promise<Seed> {
  const scene = await createScene(t);
  const { home, directory, endpoint, gateway } = scene;
  mkdirSync(home.run, { recursive: true, mode: 0o700 });
  const driver = createSupervisor({ directory: home.state, log: silentLog });
  t.after(() => driver.stop());
  const { managed, backends } = await startControlPlane(t, scene, driver);
  const { authorityFile, key } = await serve(t, scene, backends);
  const worker = createRealWorker({ cluster, driver, home, log: silentLog });
  t.after(() => worker.remove());
  const { server, serverName } = {
    server: `https://${gateway}:${endpoint.apiServer.port}`,
    serverName: endpoint.apiServer.host ?? '',
  };
  const kubeconfig = path.join(directory, 'admin.kubeconfig');
  writeFileSync(kubeconfig, (await managed.kubeconfig({ person: 'ann', role: 'admin' }, { server, serverName })).text, {
    mode: 0o600,
  });
  return {
    ...scene,
    driver,
    managed,
    worker,
    input: inputOf(scene, managed, authorityFile, key),
    kubectl: async (...args) =>
      (await run(kubectl, ['--kubeconfig', kubeconfig, '--request-timeout=20s', ...args])).stdout,
  };
}

interface Backends {
  readonly apiServer: string;
  readonly konnectivity: string;
}

async function startControlPlane(
  t: Undo,
  { home, planned }: Scene,
  driver: Supervisor,
): Promise<{ managed: ReconciledCluster; backends: Backends }> {
  const own = clusterHome(home, cluster);
  const ports = await rememberPorts(own);
  const wanted = planned.model.clusters.find(({ metadata }) => metadata.name === cluster);
  const input = wanted && controlPlaneInput(planned, wanted);
  if (input === undefined) throw new Error('the cluster is not in the plan');
  const managed = reconciledCluster({ driver, runtime: localCluster({ cluster, home: own, ports }) });
  t.after(() => managed.stop());
  await managed.reconcile(input);
  await until(() => managed.isReady(), 120_000).catch(() => {
    throw new Error(`the control plane is not ready: ${managed.observe().ready.message}`);
  });
  const at = (port: number): string => `127.0.0.1:${port}`;
  return { managed, backends: { apiServer: at(ports.apiServer), konnectivity: at(ports.konnectivityAgents) } };
}

/** The gateway as the plan has it, with this one cluster. */
async function serve(
  t: Undo,
  { directory, planned, endpoint, gateway }: Scene,
  backends: Backends,
): Promise<{ authorityFile: string; key: TokenKey }> {
  const authority = createAuthority(path.join(directory, 'gateway-pki'), 'authority of the gateway');
  const name = endpoint.tunnel?.host ?? '';
  const { certFile, keyFile } = authority.issue({ commonName: 'gateway', dns: [name] });
  const key = createTokenKey();
  const snapshot = planned.plan.gateway.local as Snapshot;
  const { apiServer, konnectivity, ...rest } = snapshot.clusters[cluster] as Snapshot['clusters'][string];
  const served = {
    ...rest,
    apiServer: { ...apiServer, backends: [backends.apiServer] },
    konnectivity: { ...konnectivity, backends: [backends.konnectivity] },
  };
  const tunnel = { ...snapshot.tunnel, certificate: { certFile, keyFile }, publicKeys: [key.publicKey] };
  await startGateway(t, {
    directory,
    addresses: [gateway],
    snapshot: { ...snapshot, tunnel, clusters: { [cluster]: served } },
  });
  return { authorityFile: authority.certFile, key };
}

const hour = 3_600_000;

const inputOf = (scene: Scene, managed: ReconciledCluster, authorityFile: string, key: TokenKey): RealWorkerInput => {
  const { planned, endpoint, gateway } = scene;
  const { plan } = planned;
  return {
    cluster,
    kubernetesVersion: '1.36.3',
    planned,
    endpoint,
    konnectivity: plan.konnectivity[cluster] as RealWorkerInput['konnectivity'],
    reachability: plan.proxy.workers[cluster] as RealWorkerInput['reachability'],
    pods: [...settingsOf(plan, cluster).pods],
    gateway: { address: gateway, authorityFile },
    credentials: async () => ({
      ...(await managed.workerCredentials()),
      bootstrapToken: await managed.bootstrapToken(hour),
    }),
    tunnelToken: async () => ({ token: tokenFor(cluster, key), expiresAt: Date.now() + 3_600_000 }),
  };
};
