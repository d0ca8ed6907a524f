import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';

export interface ToolResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ToolOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Milliseconds. @default as long as it takes */
  timeout?: number;
  /** Hears what the tool says on standard error, line by line. */
  onLine?: (line: string) => void;
  /** Lets everything else on the machine go first. */
  gently?: boolean;
}

/** More is never shown; a compiler's complaint about one package fits many times. */
const kept = 64 * 1024;

/** Whoever ends us does not want a compiler to go on for minutes. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill();
});

/** Runs a program of others to its end. It never throws for what the program does, only where it cannot be started. */
export function runTool(program: string, args: readonly string[], options: ToolOptions = {}): Promise<ToolResult> {
  const { cwd, env, timeout, onLine } = options;
  const child = spawn(program, args, { cwd, env, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
  if (options.gently && child.pid !== undefined) yieldToOthers(child.pid);
  running.add(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] = (output[name] + text).slice(-kept);
    });
  }
  if (onLine) createInterface({ input: child.stderr }).on('line', onLine);
  return new Promise<ToolResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  }).finally(() => running.delete(child));
}

function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It ended already, or the system does not let us: both are fine.
  }
}
