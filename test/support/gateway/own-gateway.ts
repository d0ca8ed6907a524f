// `causeway gateway` as a person starts it.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ListenerKind, Listening, Snapshot } from '../../../src/gateway/index.ts';
import { childrenOf, type Running, run } from '../child-process.ts';
import { projectRoot } from '../source-tree.ts';
import { askAdmin, readMetrics, type Sample } from './admin.ts';
import type { Place } from './clients.ts';
import type { Undo } from './undo.ts';
import { until } from './until.ts';

export const main = path.join(projectRoot, 'src/cli/main.ts');

export interface OwnGateway {
  readonly process: Running;
  readonly admin: string;
  readonly snapshotFile: string;
  at(kind: ListenerKind, host?: string): Place;
  listening(): readonly Listening[];
  /** Puts another snapshot in the file's place, and waits until it is in use. */
  apply(snapshot: Snapshot): Promise<void>;
  metrics(): Promise<readonly Sample[]>;
  refusals(): Promise<ReadonlyMap<string, number>>;
  workers(): readonly number[];
}

export interface OwnGatewayOptions {
  readonly directory: string;
  readonly snapshot: Snapshot;
  readonly workers?: number;
  readonly addresses?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** Path of its admin socket. @default one of its own */
  readonly admin?: string;
}

let started = 0;

export async function startGateway(t: Undo, options: OwnGatewayOptions): Promise<OwnGateway> {
  const { snapshot, workers = 2, addresses = ['127.0.0.1', '::1'], args = [], env = {} } = options;
  const directory = path.join(options.directory, `gateway-${++started}`);
  mkdirSync(directory, { recursive: true });
  const snapshotFile = path.join(directory, 'snapshot.json');
  const admin = options.admin ?? path.join(directory, 'admin.sock');
  writeFileSync(snapshotFile, JSON.stringify(snapshot));
  const listen = addresses.flatMap((address) => ['--listen', address]);
  const flags = ['--snapshot', snapshotFile, '--admin', `unix:${admin}`, '--workers', String(workers), ...listen];
  const gateway = run(t, { program: process.execPath, args: [main, 'gateway', ...flags, ...args], env });
  await ready(gateway, admin);
  let listening = await listeningOf(admin);
  return {
    process: gateway,
    admin,
    snapshotFile,
    listening: () => listening,
    at: (kind, host = '127.0.0.1') => {
      const found = listening.find((each) => each.kind === kind && each.address === host);
      if (found === undefined) throw new Error(`nothing listens for ${kind} on ${host}`);
      return { host, port: found.port };
    },
    apply: async (next) => {
      writeFileSync(`${snapshotFile}.new`, JSON.stringify(next));
      renameSync(`${snapshotFile}.new`, snapshotFile);
      await until(async () => (await askAdmin(admin, '/snapshot')).body.includes(JSON.stringify(next.version)));
      listening = await listeningOf(admin);
    },
    metrics: async () => readMetrics((await askAdmin(admin, '/metrics')).body),
    refusals: async () => refusalsIn(readMetrics((await askAdmin(admin, '/metrics')).body)),
    workers: () => childrenOf(gateway.pid),
  };
}

/** Waits for an admin's readiness; a process that ends before, or is never ready, is quoted. */
export async function ready({ hasEnded, said }: Running, admin: string): Promise<void> {
  await until(async () => {
    if (hasEnded()) throw new Error(`it ended:\n${said().slice(-3_000)}`);
    return askAdmin(admin, '/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
  }, 30_000).catch((error: Error) => {
    throw new Error(`${error.message}\n${said().slice(-3_000)}`);
  });
}

const listeningOf = async (admin: string): Promise<Listening[]> =>
  JSON.parse((await askAdmin(admin, '/listeners')).body) as Listening[];

function refusalsIn(samples: readonly Sample[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { labels, value } of samples)
    if (labels.reason !== undefined) sums.set(labels.reason, (sums.get(labels.reason) ?? 0) + value);
  return sums;
}

/** What it has in memory, in MiB. */
export const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
