// A gateway as a person starts it: a process of its own, for tests that kill, restart and replace it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Listening } from '../../engine.ts';
import type { Snapshot } from '../../snapshot/index.ts';

const sources = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
const timeoutMs = 60_000;

export interface WorkerView {
  readonly slot: number;
  readonly pid: number;
  readonly state: string;
  readonly open: number;
}

export interface Got {
  readonly status: number;
  readonly text: string;
}

/** Everything it starts ends with the test, whoever of it is still alive. */
export class TestGateway {
  readonly dir: string;
  readonly snapshotFile: string;
  readonly #socket: string;
  readonly #log: string;
  readonly #pids = new Set<number>();
  readonly #main: string;

  /** `main` is the program that is started, by default the sources. */
  constructor(t: TestContext, main = sources) {
    this.#main = main;
    this.dir = mkdtempSync(path.join(tmpdir(), 'causeway-gateway-'));
    this.snapshotFile = path.join(this.dir, 'snapshot.json');
    this.#socket = path.join(this.dir, 'admin.sock');
    this.#log = path.join(this.dir, 'log');
    writeFileSync(this.#log, '');
    t.after(async () => {
      await this.remember().catch(() => {});
      for (const pid of this.#pids) signal(pid, 'SIGKILL');
      rmSync(this.dir, { recursive: true, force: true });
    });
  }

  /** As programs should: beside its place, then renamed. */
  write(snapshot: Snapshot | string): void {
    const text = typeof snapshot === 'string' ? snapshot : JSON.stringify(snapshot);
    writeFileSync(`${this.snapshotFile}.new`, text);
    renameSync(`${this.snapshotFile}.new`, this.snapshotFile);
  }

  /** `openFiles` is what a process of it may have at most. */
  spawn(options: readonly string[] = [], openFiles?: number): ChildProcess {
    const args = ['gateway', '--snapshot', this.snapshotFile, '--admin', `unix:${this.#socket}`];
    const all = [this.#main, ...args, '--listen', '127.0.0.1', '--workers', '2', ...options];
    const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles}; `;
    const child = spawn('sh', ['-c', `${limit}exec "$@" 2>> "$LOG"`, 'sh', process.execPath, ...all], {
      env: { ...process.env, LOG: this.#log },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    this.#pids.add(child.pid ?? 0);
    return child;
  }

  async start(options: readonly string[] = []): Promise<ChildProcess> {
    const child = this.spawn(options);
    await this.until('two workers are ready', async () => (await this.ready()).length === 2);
    return child;
  }

  get(where: string, method = 'GET'): Promise<Got> {
    const received = async (response: IncomingMessage): Promise<Got> => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      return { status: response.statusCode ?? 0, text };
    };
    return new Promise((resolve, reject) => {
      const options = { socketPath: this.#socket, path: where, method, agent: false };
      request(options, (response) => resolve(received(response)))
        .once('error', reject)
        .end();
    });
  }

  async port(kind: Listening['kind'] = 'sni'): Promise<number> {
    const listening = JSON.parse((await this.get('/listeners')).text) as Listening[];
    const found = listening.find((one) => one.kind === kind);
    if (found === undefined) throw new Error(`no ${kind} listener`);
    return found.port;
  }

  async workers(): Promise<WorkerView[]> {
    const workers = JSON.parse((await this.get('/workers')).text) as WorkerView[];
    for (const { pid } of workers) this.#pids.add(pid);
    return workers;
  }

  async ready(): Promise<WorkerView[]> {
    return (await this.workers()).filter(({ state }) => state === 'ready');
  }

  /** A sample of the metrics, by the text of its series. */
  async metric(series: string): Promise<number | undefined> {
    const { text } = await this.get('/metrics');
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length));
  }

  /** The process that answers at the admin address, for it is not always the one that was started. */
  async remember(): Promise<void> {
    for (const { pid } of await this.workers()) {
      const parent = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
      if (readFileSync(`/proc/${parent}/cmdline`, 'latin1').startsWith('causeway gateway')) this.#pids.add(parent);
    }
  }
  add(pid: number): void {
    this.#pids.add(pid);
  }

  log(): string {
    return readFileSync(this.#log, 'utf8');
  }

  async until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
    const late = performance.now() + timeoutMs;
    for (;;) {
      if (await Promise.resolve(holds()).catch(() => false)) return;
      if (performance.now() > late) throw new Error(`not within ${timeoutMs / 1000} s: ${what}\n${this.log()}`);
      await setTimeout(50);
    }
  }
}

export const ended = (child: ChildProcess): Promise<number | string | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode ?? child.signalCode);
    else child.once('exit', (code, by) => resolve(by ?? code));
  });

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
