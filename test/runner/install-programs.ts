import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { debianPackagesOf, findProgram, type ProgramName, programs } from '../support/programs.ts';
import { withoutServiceStarts } from './service-starts.ts';
import { root } from './test-files.ts';

const say = (sentence: string): boolean => process.stderr.write(`causeway: ${sentence}\n`);

/** Installs the Debian packages of these programs; by default of all that tests name and this machine lacks. */
export async function installPrograms(wanted = programsOfTests().filter(isMissing)): Promise<void> {
  const missing = wanted.filter((name) => debianPackagesOf(name).length > 0).sort();
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  say(`installing ${missing.join(', ')} with apt-get, without starting any service.`);
  if (!aptGet('update')) say('apt-get update failed, going on with the package lists that are there.');
  const packages = missing.map((name) => debianPackagesOf(name).find(isOffered)).filter((name) => name !== undefined);
  await withoutServiceStarts(() => {
    // One by one where all at once fails: a package that cannot be installed must not take the others along.
    if (!install(packages)) for (const name of packages) if (!install([name])) say(`${name} could not be installed.`);
  });
}

const isMissing = (name: ProgramName): boolean => findProgram(name) === undefined;

/** Test files call helpers, so all of test/ is searched and not only the files that will run. */
const programsOfTests = (): ProgramName[] => [
  ...new Set(globSync('test/**/*.ts', { cwd: root }).flatMap(programsNamedIn)),
];

function programsNamedIn(file: string): ProgramName[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const names = [...text.matchAll(/needProgram\(\w+, '([^']+)'\)/g)].map((match) => match[1] as ProgramName);
  return names.filter((name) => Object.hasOwn(programs, name));
}

const isOffered = (debianPackage: string): boolean =>
  spawnSync('apt-cache', ['show', debianPackage], { stdio: 'ignore' }).status === 0;

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
