// Programs that the benchmark starts: it knows them, measures them, and ends them and nobody else.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { CausewayError } from '../../src/core/errors.ts';
import { treeOf } from './process-tree.ts';

const stopTimeoutMs = 4000;
const started = new Set<ChildProcess>();
// Nothing that was started outlives a run that is interrupted.
process.on('exit', () => {
  for (const child of started) child.kill('SIGTERM');
});

/** Without a listener a signal ends us at once, and those we started live on. */
export function endOnSignals(): () => void {
  const end = (_: string, number: number): never => process.exit(128 + number);
  process.on('SIGINT', end).on('SIGTERM', end);
  return () => process.off('SIGINT', end).off('SIGTERM', end);
}

export interface Program {
  readonly name: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** Throws, with the end of its log, when it has ended by itself. */
  check(): void;
  end(): Promise<void>;
}

export interface Command {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly log: string;
  readonly env?: NodeJS.ProcessEnv;
}

export function start(command: Command, stdio: SpawnOptions['stdio'] = ['ignore', 'ignore', 'ignore']): Program {
  const log = openSync(command.log, 'a');
  const outputs = (stdio as unknown[]).map((kind) => (kind === 'ignore' ? log : kind)) as SpawnOptions['stdio'];
  const child = spawn(command.file, command.args, { stdio: outputs, env: { ...process.env, ...command.env } });
  started.add(child);
  let failure: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      failure = error;
      resolve();
    });
  }).then(() => void started.delete(child));
  return {
    name: command.name,
    pid: child.pid ?? -1,
    child,
    check: () => {
      if (failure !== undefined || child.exitCode !== null || child.signalCode !== null)
        throw endedEarly(command, failure);
    },
    end: () => endTree(child, ended),
  };
}

async function endTree(child: ChildProcess, ended: Promise<void>): Promise<void> {
  const members = child.pid === undefined || child.exitCode !== null ? [] : treeOf(child.pid);
  child.kill('SIGTERM');
  const killer = setTimeout(() => {
    for (const pid of members) killIfThere(pid);
  }, stopTimeoutMs);
  await ended;
  clearTimeout(killer);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}

function endedEarly(command: Command, failure: Error | undefined): CausewayError {
  const last = readFileSync(command.log, 'utf8').trim().split('\n').slice(-8).join('\n');
  const why = failure?.message ?? (last === '' ? 'it wrote nothing' : last);
  return new CausewayError('CW-CLI-BENCH', `${command.name} ended: ${why}`, `run it by hand: ${command.file}`);
}
