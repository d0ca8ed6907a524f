import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { debianPackageOf, findProgram, type ProgramName } from '../support/programs.ts';
import { withoutServiceStarts } from './service-starts.ts';
import { root } from './test-files.ts';

const say = (sentence: string): boolean => process.stderr.write(`causeway: ${sentence}\n`);

/** Installs the Debian packages of the programs that these test files name and that this machine lacks. */
export async function installPrograms(files: readonly string[]): Promise<void> {
  const packages = missingPackages(files);
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  say(`installing ${packages.join(', ')} for the interop tests with apt-get, without starting any service.`);
  if (!aptGet('update')) say('apt-get update failed, going on with the package lists that are there.');
  await withoutServiceStarts(() => {
    // One by one where all at once fails: a package that this release does not have must not take the others along.
    if (!install(packages)) for (const name of packages) if (!install([name])) say(`${name} could not be installed.`);
  });
}

function missingPackages(files: readonly string[]): string[] {
  const wanted = new Set(files.flatMap(programsNamedIn).filter((name) => findProgram(name) === undefined));
  return [...wanted]
    .map(debianPackageOf)
    .filter((name) => name !== undefined)
    .sort();
}

function programsNamedIn(file: string): ProgramName[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/needProgram\(\w+, '([^']+)'\)/g)].map((match) => match[1] as ProgramName);
}

const install = (packages: readonly string[]): boolean =>
  aptGet('install', '--yes', '--no-install-recommends', ...packages);

function aptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const { status, stderr } = spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) process.stderr.write(stderr);
  return status === 0;
}
