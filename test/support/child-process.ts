// Foreign programs as children of a test: their last words are kept, and they end with the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Undo } from './gateway/undo.ts';

export { isRunning } from '../../src/sys/is-running.ts';

export interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What it said last. */
  said(): string;
  hasEnded(): boolean;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const lastWords = 64 * 1024;

export interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

export function run(t: Undo, { program, args, env, cwd }: Start): Running {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env }, cwd });
  let words = '';
  const listen = (chunk: Buffer): void => {
    words = (words + chunk).slice(-lastWords);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  child.on('error', (error) => listen(Buffer.from(error.message)));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    if (hasEnded()) return;
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exit;
  };
  // Workers that outlive their parent by design must not outlive the test.
  t.after(async () => {
    const children = hasEnded() ? [] : childrenOf(child.pid ?? 0);
    await kill();
    for (const pid of children) endOrphan(pid);
  });
  return { child, pid: child.pid ?? 0, said: () => words, hasEnded, kill };
}

/** Processes whose parent it is. */
export const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent);

function parentOf(pid: number): number {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    // It ended meanwhile.
    return 0;
  }
}

/** Ends it, unless it has ended already. */
export function endOrphan(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has.
  }
}
