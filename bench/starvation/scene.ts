// A gateway with one worker and the tunnel of a cluster, a quiet tenant beside it, and attackers on another processor where
// the machine has one.
import { type ChildProcess, spawn } from 'node:child_process';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Snapshot } from '../../src/gateway/index.ts';
import { keyIdOf, signToken } from '../../src/net/index.ts';
import { createAuthority, createTokenKeys, issueServer, validFor } from '../../src/pki/index.ts';
import { treeOf } from '../gateway/process-tree.ts';
import { freePort } from '../gateway/subject.ts';
import type { FloodKind } from './floods.ts';
import { noisyName, type TenantKind, tenants } from './tenant-names.ts';

/** Another checkout can be measured instead. */
const main = process.env.CAUSEWAY_BENCH_MAIN ?? fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
export const quietName = 'quiet.example';
const readyTimeoutMs = 30_000;

export interface Scene {
  readonly directory: string;
  readonly ports: { readonly sni: number; readonly tunnel: number };
  readonly keyId: string;
  readonly gateway: ChildProcess;
  /** A token of the first noisy tenant. */
  readonly noisyToken: string;
  cost(): Promise<Cost>;
  /** Processes of the workers; another one than before was started again. */
  workers(): number[];
  end(): Promise<void>;
}

/** What the attack cost the gateway, and what it told of it. */
export interface Cost {
  /** Of the worker, at its highest. */
  readonly peakMiB: number;
  readonly refusals: Readonly<Record<string, number>>;
}

export interface SceneOptions {
  /** Port of the backend of a thousand more tenants. */
  readonly noisyBackend?: number;
  /** What a process of the gateway may have at most. */
  readonly openFiles?: number;
}

export async function startScene(backend: number, options: SceneOptions = {}): Promise<Scene> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-starvation-'));
  const ports = { sni: await freePort(), tunnel: await freePort() };
  const keys = createTokenKeys();
  await writeFiles(directory, snapshotOf(ports, keys.publicKey, backend, options.noisyBackend));
  const admin = path.join(directory, 'admin.sock');
  const flags = ['--listen', '127.0.0.1', '--admin', `unix:${admin}`, '--workers', '1'];
  const args = [main, 'gateway', '--snapshot', path.join(directory, 'snapshot.json'), ...flags];
  const gateway = startOn(0, args, openSync(path.join(directory, 'log'), 'a'), options.openFiles);
  const end = async (): Promise<void> => {
    await stop(gateway);
    rmSync(directory, { recursive: true, force: true });
  };
  const workers = (): number[] => treeOf(gateway.pid ?? -1).slice(1);
  const cost = async (): Promise<Cost> => ({
    peakMiB: Math.max(0, ...workers().map(peakMiB)),
    refusals: await refusalsAt(admin),
  });
  const now = Date.now();
  const claims = { cluster: 'noisy-0', issuedAt: now, expiresAt: now + 86_400_000 };
  const noisyToken = signToken(claims, createPrivateKey(keys.privateKey));
  return { directory, ports, keyId: keyIdOf(createPublicKey(keys.publicKey)), noisyToken, gateway, cost, workers, end };
}

const peakMiB = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

async function refusalsAt(socketPath: string): Promise<Record<string, number>> {
  const [answer] = (await once(get({ socketPath, path: '/metrics' }), 'response')) as [IncomingMessage];
  let metrics = '';
  for await (const chunk of answer) metrics += String(chunk);
  const sums: Record<string, number> = {};
  for (const [, reason = '', count] of metrics.matchAll(
    /^causeway_gateway_refusals_total\{reason="([^"]+)".*\} (\d+)$/gm,
  ))
    sums[reason] = (sums[reason] ?? 0) + Number(count);
  return sums;
}

async function writeFiles(directory: string, snapshot: Snapshot): Promise<void> {
  const valid = validFor(new Date(), 2);
  const server = await issueServer(await createAuthority('starvation', valid), ['tunnel.example'], valid);
  writeFileSync(path.join(directory, 'tls.crt'), server.certificate);
  writeFileSync(path.join(directory, 'tls.key'), server.key, { mode: 0o600 });
  writeFileSync(path.join(directory, 'snapshot.json'), JSON.stringify(snapshot));
}

/** A thousand tenants beside the quiet one, of which some make noise. */
const noisyClusters = (port: number): Snapshot['clusters'] =>
  Object.fromEntries(
    Array.from({ length: tenants }, (_, tenant) => {
      const backends = [`127.0.0.1:${port}`];
      const authority = `apiserver-external.cluster-noisy-${tenant}.svc.cluster.local:443`;
      const konnectivity = { sni: `konnectivity-server.${noisyName(tenant)}`, backends };
      const limits = { maxConnections: 20_000, connectionsPerSecond: 1000, idleTimeout: '1h' };
      return [
        `noisy-${tenant}`,
        { apiServer: { sni: noisyName(tenant), authority, backends }, konnectivity, ...limits },
      ];
    }),
  );

const snapshotOf = (ports: Scene['ports'], publicKey: string, backend: number, noisyBackend?: number): Snapshot => {
  const backends = [`127.0.0.1:${backend}`];
  const authority = 'apiserver-external.cluster-quiet.svc.cluster.local:443';
  return {
    version: '1',
    seed: 'bench',
    listeners: { ...ports, nodePortRange: '30000-32767' },
    tunnel: {
      name: 'tunnel.example',
      authentication: 'token',
      certificate: { certFile: 'tls.crt', keyFile: 'tls.key' },
      publicKeys: [publicKey],
    },
    trustedBalancers: [],
    clusters: {
      ...(noisyBackend === undefined ? {} : noisyClusters(noisyBackend)),
      quiet: {
        apiServer: { sni: quietName, authority, backends },
        konnectivity: { sni: `konnectivity-server.${quietName}`, backends },
        idleTimeout: '1h',
      },
    },
  };
};

/** On its own processor where there are two, so that attackers do not take the gateway's time from outside. */
function startOn(
  processor: number,
  args: readonly string[],
  output: number | 'inherit',
  openFiles?: number,
): ChildProcess {
  const program = [process.execPath, ...args];
  const limit = openFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh'];
  const command = [...limit, ...program];
  const pinned = availableParallelism() > 1 ? ['taskset', '-c', String(processor), ...command] : command;
  const [file = '', ...rest] = pinned;
  return spawn(file, rest, { stdio: ['ignore', output, output, 'ipc'] });
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  // Workers first: one whose supervisor was killed goes on.
  for (const pid of treeOf(child.pid ?? -1).reverse()) process.kill(pid, 'SIGKILL');
  await ended;
}

const program = (name: string): string => fileURLToPath(new URL(`./${name}.ts`, import.meta.url));

export async function startAttackers(
  port: number,
  kind: FloodKind,
  peers: number,
  keyId: string,
): Promise<ChildProcess> {
  const child = startOn(1, [program('attackers'), String(port), kind, String(peers), keyId], 'inherit');
  await once(child, 'message');
  return child;
}

export async function startTenants(kind: TenantKind, port: number, token: string): Promise<ChildProcess> {
  const child = startOn(1, [program('tenants'), kind, String(port), token], 'inherit');
  await once(child, 'message');
  return child;
}

export async function startNoisyBackend(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = startOn(1, [program('noisy-backend')], 'inherit');
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

export interface AcceptAndClose {
  readonly child: ChildProcess;
  readonly attacked: number;
  readonly quiet: number;
}

export async function startAcceptAndClose(backend: number): Promise<AcceptAndClose> {
  const child = startOn(0, [program('accept-and-close'), String(backend)], 'inherit');
  const [ports] = (await once(child, 'message')) as [{ attacked: number; quiet: number }];
  return { child, ...ports };
}

export async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  const late = performance.now() + readyTimeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > late) throw error;
      await sleep(100);
    }
  }
}
