// A gateway with one worker and the tunnel of a cluster, a quiet tenant beside it, and attackers on another processor where
// the machine has one.
import { type ChildProcess, spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Snapshot } from '../../src/gateway/index.ts';
import { keyIdOf } from '../../src/net/index.ts';
import { createAuthority, createTokenKeys, issueServer, validFor } from '../../src/pki/index.ts';
import { treeOf } from '../gateway/process-tree.ts';
import { freePort } from '../gateway/subject.ts';
import type { FloodKind } from './floods.ts';

/** Another checkout can be measured instead. */
const main = process.env.CAUSEWAY_BENCH_MAIN ?? fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
export const quietName = 'quiet.example';
const readyTimeoutMs = 30_000;

export interface Scene {
  readonly directory: string;
  readonly ports: { readonly sni: number; readonly tunnel: number };
  readonly keyId: string;
  readonly gateway: ChildProcess;
  readonly admin: string;
  /** Processes of the workers; another one than before was started again. */
  workers(): number[];
  end(): Promise<void>;
}

export async function startScene(backend: number): Promise<Scene> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-starvation-'));
  const ports = { sni: await freePort(), tunnel: await freePort() };
  const keys = createTokenKeys();
  await writeFiles(directory, snapshotOf(ports, keys.publicKey, backend));
  const admin = path.join(directory, 'admin.sock');
  const flags = ['--listen', '127.0.0.1', '--admin', `unix:${admin}`, '--workers', '1'];
  const args = [main, 'gateway', '--snapshot', path.join(directory, 'snapshot.json'), ...flags];
  const gateway = startOn(0, args, openSync(path.join(directory, 'log'), 'a'));
  const end = async (): Promise<void> => {
    await stop(gateway);
    rmSync(directory, { recursive: true, force: true });
  };
  const workers = (): number[] => treeOf(gateway.pid ?? -1).slice(1);
  return { directory, ports, keyId: keyIdOf(createPublicKey(keys.publicKey)), gateway, admin, workers, end };
}

async function writeFiles(directory: string, snapshot: Snapshot): Promise<void> {
  const valid = validFor(new Date(), 2);
  const server = await issueServer(await createAuthority('starvation', valid), ['tunnel.example'], valid);
  writeFileSync(path.join(directory, 'tls.crt'), server.certificate);
  writeFileSync(path.join(directory, 'tls.key'), server.key, { mode: 0o600 });
  writeFileSync(path.join(directory, 'snapshot.json'), JSON.stringify(snapshot));
}

const snapshotOf = (ports: Scene['ports'], publicKey: string, backend: number): Snapshot => {
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
      quiet: {
        apiServer: { sni: quietName, authority, backends },
        konnectivity: { sni: `konnectivity-server.${quietName}`, backends },
        idleTimeout: '1h',
      },
    },
  };
};

/** On its own processor where there are two, so that attackers do not take the gateway's time from outside. */
function startOn(processor: number, args: readonly string[], output: number | 'inherit'): ChildProcess {
  const command = [process.execPath, ...args];
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
