// Programs from Python packages, kept in the cache of this machine: installing one takes half a minute, once.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { programsConfig } from '../../src/programs/config.ts';
import { withLock } from '../../src/sys/lock.ts';
import { needProgram } from './programs.ts';

export interface PythonTool {
  readonly python: string;
  /** Directory with the package and everything it needs, for PYTHONPATH. */
  readonly directory: string;
}

const run = promisify(execFile);

/** Undefined, with the test marked as skipped, where it cannot be had; under CI that fails the test. */
export async function needPythonTool(t: TestContext, name: string, version: string): Promise<PythonTool | undefined> {
  const named = needProgram(t, 'python3');
  // Debian's Python comes without it.
  if (named === undefined || needProgram(t, 'pip3') === undefined) return undefined;
  // Not a script that stands for it and wants to know of every package.
  const python = (await run(named, ['-c', 'import sys; print(sys.executable)'])).stdout.trim();
  const directory = path.join(programsConfig().cache, 'python', `${name}-${version}`);
  mkdirSync(path.dirname(directory), { recursive: true });
  try {
    await withLock(`${directory}.lock`, () => install(python, `${name}==${version}`, directory));
    return { python, directory };
  } catch (error) {
    const sentence = `${name} cannot be installed: ${(error as Error).message.trim().split('\n').at(-1)}`;
    if (process.env.CI === 'true') throw new Error(sentence);
    t.skip(sentence);
    return undefined;
  }
}

/** Made aside, so that what is there is whole. */
async function install(python: string, requirement: string, directory: string): Promise<void> {
  if (existsSync(directory)) return;
  const aside = `${directory}.new`;
  rmSync(aside, { recursive: true, force: true });
  const flags = ['--quiet', '--no-input', '--disable-pip-version-check', '--target', aside];
  await run(python, ['-m', 'pip', 'install', ...flags, requirement]);
  renameSync(aside, directory);
}
