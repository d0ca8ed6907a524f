// The command line as a person or a script meets it: a process with arguments, input, output and an exit code.
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { projectRoot } from './source-tree.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const commandLine = path.join(projectRoot, 'src/cli/main.ts');

export interface CliOptions {
  readonly input?: string;
  readonly cwd?: string;
  /** Flags of Node. */
  readonly node?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

export function causeway(args: readonly string[], options: CliOptions = {}): CliResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...(options.node ?? []), commandLine, ...args], {
    encoding: 'utf8',
    input: options.input ?? '',
    cwd: options.cwd,
    env: { ...(options.env ?? process.env), CAUSEWAY_DEBUG: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status, stdout, stderr };
}

/** The same without keeping the test from doing something else meanwhile. */
export function causewayLater(
  args: readonly string[],
  { cwd, main = commandLine, env: more = {} }: { cwd?: string; main?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<CliResult> {
  return new Promise((resolve) => {
    const env = { ...process.env, CAUSEWAY_DEBUG: '1', ...more };
    execFile(process.execPath, [main, ...args], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** A directory that goes when the test ends. */
export function scratch(t: TestContext): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'causeway-cli-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A copy of an example, to be changed. */
export function copyOf(t: TestContext, example: string): string {
  const dir = path.join(scratch(t), example);
  cpSync(exampleDir(example), dir, { recursive: true });
  return dir;
}

export const exampleDir = (example: string): string => path.join(projectRoot, 'examples', example);

/** Replaces a text in a file, and fails when there is nothing to replace. */
export function edit(file: string, before: string | RegExp, after: string): void {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(before, after);
  if (changed === text) throw new Error(`${file} does not contain ${before}`);
  writeFileSync(file, changed);
}
