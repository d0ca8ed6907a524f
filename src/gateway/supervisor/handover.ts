// Replacing the supervisor: the old process starts the new one, gives it every listening socket, and leaves when the
// new one serves. Until then nothing is lost by turning back.
import { type ChildProcess, type SendHandle, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getOrAdd } from '../../core/collections.ts';
import { CausewayError } from '../../core/errors.ts';
import type { NativeListener } from '../../net/wire/native.ts';
import { leadsSession } from '../../sys/session.ts';
import type { Listening } from '../engine.ts';
import type { OpenListener } from './listener-table.ts';

const mark = 'CAUSEWAY_HANDOVER';
const longestMs = 60_000;
/** From the sources, as workers are: what runs now may be a bundle, which is of the old version or was removed since. */
const program = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

type FromNew = { readonly step: 'hello' | 'ready' | 'taken' } | { readonly step: 'failed'; readonly why: string };
type FromOld =
  | { readonly step: 'listener'; readonly key: string; readonly listening: Listening }
  | { readonly step: 'all' | 'released' };

export interface HandoverEvents {
  /** The admin address must be free when this returns. */
  release(): void;
  listeners(): readonly OpenListener[];
}

/** How a process is started that takes over: another program than this one, where that was replaced by a newer release. */
export interface Successor {
  readonly file: string;
  readonly args: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const likeThisOne = (): Successor => ({
  file: process.execPath,
  args: [...process.execArgv, program, ...process.argv.slice(2)],
  env: process.env,
});

export function readSuccessor(file: string | undefined): Successor {
  if (file === undefined) return likeThisOne();
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Successor;
  } catch (error) {
    throw new CausewayError(
      'CW-GATEWAY-UPGRADE',
      `${file} does not say how the next process is started: ${(error as Error).message}`,
      'write {"file": …, "args": […], "env": {…}}, or start the gateway without --successor',
    );
  }
}

/** Resolves with its number when the new process serves; rejects with the reason why it does not. */
export function handOver({ file, args, env }: Successor, events: HandoverEvents): Promise<number> {
  const child = spawn(file, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...env, [mark]: '1' },
    detached: leadsSession(),
  });
  return new Promise<number>((resolve, reject) => {
    let why = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), longestMs);
    child.on('message', (message: FromNew) => {
      if (message.step === 'hello') sendListeners(child, events.listeners());
      else if (message.step === 'ready') {
        events.release();
        child.send({ step: 'released' } satisfies FromOld);
      } else if (message.step === 'failed') why = message.why;
      else resolve(child.pid as number);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(why || `the new process ended (${signal ?? `exit code ${code}`}) before it served`));
    });
  }).finally(() => {
    // It lives on without us.
    if (child.connected) child.disconnect();
    child.unref();
  });
}

function sendListeners(child: ChildProcess, listeners: readonly OpenListener[]): void {
  for (const { key, listening, handles } of listeners)
    for (const handle of handles)
      if (handle !== undefined) child.send({ step: 'listener', key, listening }, handle as unknown as SendHandle);
  child.send({ step: 'all' } satisfies FromOld);
}

/** The new process' side. */
export interface Inheritance {
  readonly listeners: readonly OpenListener[];
  /** Workers are ready: resolves when the old process has left the admin address. */
  ready(): Promise<void>;
  taken(): void;
  failed(why: string): void;
}

/** Undefined when this process was started in the ordinary way. */
export async function inheritance(): Promise<Inheritance | undefined> {
  const wanted = process.env[mark] !== undefined && process.connected;
  delete process.env[mark];
  if (!wanted) return undefined;
  const tell = (message: FromNew, sent: () => void = () => {}): void => {
    if (process.connected) process.send?.(message, undefined, {}, sent);
  };
  // An open channel would keep a process alive that has given up.
  const leave = (): void => void (process.connected && process.disconnect());
  const steps = awaitSteps();
  tell({ step: 'hello' });
  const listeners = await steps.all;
  return {
    listeners,
    ready: () => {
      tell({ step: 'ready' });
      return steps.released;
    },
    taken: () => tell({ step: 'taken' }, leave),
    failed: (why) => tell({ step: 'failed', why }, leave),
  };
}

/** An old process that dies on the way has released everything. */
function awaitSteps(): { all: Promise<OpenListener[]>; released: Promise<void> } {
  const all = Promise.withResolvers<OpenListener[]>();
  const released = Promise.withResolvers<void>();
  const found = new Map<string, { key: string; listening: Listening; handles: NativeListener[] }>();
  process.on('message', (message: FromOld, handle) => {
    if (message.step === 'listener') {
      const { key, listening } = message;
      getOrAdd(found, key, () => ({ key, listening, handles: [] as NativeListener[] })).handles.push(
        handle as unknown as NativeListener,
      );
    } else if (message.step === 'all') all.resolve([...found.values()]);
    else released.resolve();
  });
  process.once('disconnect', () => {
    all.resolve([...found.values()]);
    released.resolve();
  });
  return { all: all.promise, released: released.promise };
}
