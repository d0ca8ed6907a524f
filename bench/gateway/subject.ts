// A subject is what is measured: one of the peers, ourselves, or nothing at all (the wire).
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CausewayError } from '../../src/core/errors.ts';
import type { Load } from './load.ts';
import type { Program } from './processes.ts';
import type { PeerPrograms } from './programs.ts';

export interface Setting {
  /** Configurations and logs. */
  readonly directory: string;
  readonly load: Load;
  readonly backend: number;
  readonly workers: number;
  readonly programs: PeerPrograms;
  /** Where our own processes write profiles of their processor time. */
  readonly profiles?: string;
}

export interface Subject {
  readonly name: string;
  readonly address: string;
  /** Roots of its processes. */
  readonly programs: readonly Program[];
}

export type StartSubject = (setting: Setting) => Promise<Subject>;

export const names = {
  cluster: 'c1',
  /** Answers requests inside TLS. */
  api: 'api.c1.bench.example',
  /** Speaks plainly after its ClientHello: for bulk and held connections. */
  raw: 'raw.c1.bench.example',
  tunnel: 'tunnel.bench.example',
  authority: 'apiserver-external.cluster-c1.svc.cluster.local:443',
} as const;

const readyTimeoutMs = 60_000;

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Fills in a configuration of bench/gateway/peers, and returns where it is. */
export function configure(
  setting: Setting,
  template: string,
  values: Readonly<Record<string, string | number>>,
): string {
  const text = readFileSync(fileURLToPath(new URL(`./peers/${template}`, import.meta.url)), 'utf8');
  const all: Record<string, string | number> = {
    API_NAME: names.api,
    RAW_NAME: names.raw,
    AUTHORITY: names.authority,
    BACKEND: setting.backend,
    WORKERS: setting.workers,
    DIRECTORY: setting.directory,
    ...values,
  };
  const file = path.join(setting.directory, template);
  writeFileSync(
    file,
    text.replace(/\$\{([A-Z_]+)\}/g, (_, name: string) => String(all[name])),
  );
  return file;
}

/** Waits until bytes come back through it as they were sent. */
export async function ready(subject: Subject, { load }: Setting, name: string = names.raw): Promise<Subject> {
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    for (const program of subject.programs) program.check();
    const failure = await load.run('verify', { address: subject.address, name }).then(() => undefined, String);
    if (failure === undefined) return subject;
    if (Date.now() > deadline)
      throw new CausewayError('CW-CLI-BENCH', `${subject.name} passes nothing on: ${failure}`, 'read its log');
    await sleep(50);
  }
}

export async function endSubject(subject: Subject): Promise<void> {
  for (const program of subject.programs) await program.end();
}
