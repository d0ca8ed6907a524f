// The program that makes load (bench/gateway/load, in Go), and the backend that it talks to.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CausewayError } from '../../src/core/errors.ts';
import { goProgram } from '../../test/support/go-programs.ts';
import { needForeign } from '../programs.ts';
import { type Program, start } from './processes.ts';

const run = promisify(execFile);
const timeoutMs = 180_000;
/** It shares the processors with what is measured: no more threads than it needs, little garbage collection. */
const env = { GOMAXPROCS: String(Math.max(1, Math.floor(availableParallelism() / 2))), GOGC: '400' };

export interface LoadResult {
  readonly done: number;
  readonly total: number;
  readonly seconds: number;
  readonly errors: number;
  readonly firstError?: string;
  readonly p50?: number;
  readonly p99?: number;
}

export interface Load {
  /** Runs a client to its end, and returns the one line of JSON that it prints. */
  run<Result = LoadResult>(command: string, options: Readonly<Record<string, string | number>>): Promise<Result>;
  start(name: string, command: string, options: Readonly<Record<string, string | number>>): Program;
  writeCertificate(directory: string): Promise<void>;
}

export async function buildLoad(directory: string): Promise<Load> {
  const { go } = await needForeign('go');
  const file = await goProgram(go, fileURLToPath(new URL('./load', import.meta.url))).catch(notBuilt);
  return {
    run: async (command, options) => JSON.parse(await output(file, [command, ...flags(options)])),
    start: (name, command, options) =>
      start({ name, file, args: [command, ...flags(options)], log: path.join(directory, `${name}.log`), env }, [
        'pipe',
        'pipe',
        'ignore',
      ]),
    writeCertificate: async (into) => void (await output(file, ['certificate', into])),
  };
}

function notBuilt(error: Error & { stderr?: string }): never {
  const why = error.stderr?.trim().split('\n').slice(0, 3).join(' ') || error.message;
  const fix = 'see that go is 1.26 or later, and that there is room on the disk';
  throw new CausewayError('CW-CLI-BENCH', `the program that makes load could not be built: ${why}`, fix);
}

/** Port of a new backend. */
export async function startBackend(load: Load): Promise<{ port: number; program: Program }> {
  const program = load.start('backend', 'backend', {});
  return { port: Number(await nextLine(program)), program };
}

/** The next line that a program prints. */
export async function nextLine({ child, name, check }: Program): Promise<string> {
  if (child.stdout === null) throw new Error(`nobody listens to ${name}`);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
  lines.close();
  if (line === undefined) check();
  return line ?? '';
}

const flags = (options: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(options).map(([name, value]) => `-${name}=${value}`);

async function output(file: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(file, args, { env: { ...process.env, ...env }, timeout: timeoutMs })).stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new CausewayError('CW-CLI-BENCH', stderr?.trim() || message, `the load was: ${args.join(' ')}`);
  }
}
