// A Go to build with: the one on PATH, or else the toolchain that every Go module proxy serves as a module.
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { isExecutable } from '../sys/is-executable.ts';
import { withLock } from '../sys/lock.ts';
import { goCpu, goOs, platformName } from './catalogue/program.ts';
import type { ProgramsConfig } from './config.ts';
import { download } from './download.ts';
import { badChecksum, SourceUnavailable } from './errors.ts';
import { shownUrl } from './http-get.ts';
import { runTool } from './run-tool.ts';
import { zipEntries } from './zip.ts';

export interface Go {
  program: string;
  /** "1.26.8" */
  version: string;
}

const oldest = '1.26';

/** What we fetch, with the hashes that Go's checksum database has for it. */
const pinned = {
  version: '1.26.8',
  hashes: {
    'linux-x64': 'h1:ZOmGe1OnfREDMIdb1Qi4G9JSuDPBLGExZMQ4nis1RXM=',
    'linux-arm64': 'h1:sYL/O6MqS68ML0kjsQ36WoYIpJqkw60TxizWUYUKQMc=',
    'darwin-x64': 'h1:7/9KPPN8PckcA9s91hm2jmQMhzW4KyTJXHIs45L0C9M=',
    'darwin-arm64': 'h1:dFjGhY6f8DTsY8/rLchUTDRRfjJP4pCrGCwxvHFT2Fg=',
  } as Record<string, string | undefined>,
};

/** A Go that is new enough; throws `SourceUnavailable` where there is none and none can be fetched. */
export async function needGo(subject: string, config: ProgramsConfig, atLeast = oldest): Promise<Go> {
  const home = path.join(config.cache, 'go', pinned.version, platformName(config.platform));
  const directories = [...config.path, ...[...config.goHomes, home].map((directory) => path.join(directory, 'bin'))];
  for (const program of directories.map((directory) => path.join(directory, 'go')).filter(isExecutable)) {
    const version = await versionOf(program, config);
    if (version !== undefined && isNewEnough(version, newer(oldest, atLeast))) return { program, version };
  }
  return { program: await fetchGo(subject, home, config), version: pinned.version };
}

async function versionOf(program: string, { env }: ProgramsConfig): Promise<string | undefined> {
  const ran = await runTool(program, ['env', 'GOVERSION'], { env, cwd: '/', timeout: 20_000 }).catch(() => undefined);
  return /^go(\d+\.\d+(\.\d+)?)/.exec(ran?.stdout ?? '')?.[1];
}

export const isNewEnough = (version: string, atLeast = oldest): boolean => newer(version, atLeast) === version;

/** The first one where they are the same. */
function newer(version: string, other: string): string {
  const [ours, theirs] = [version, other].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (let at = 0; at < 3; at++) {
    const difference = (ours[at] ?? 0) - (theirs[at] ?? 0);
    if (difference !== 0) return difference > 0 ? version : other;
  }
  return version;
}

async function fetchGo(subject: string, home: string, config: ProgramsConfig): Promise<string> {
  const hash = pinned.hashes[platformName(config.platform)];
  const proxy = await moduleProxy(config.env);
  if (hash === undefined || proxy === undefined) throw new SourceUnavailable('no-go', 'there is no Go 1.26 on PATH');
  const name = `v0.0.1-go${pinned.version}.${goOs(config.platform)}-${goCpu(config.platform)}`;
  await mkdir(path.dirname(home), { recursive: true });
  return withLock(`${home}.lock`, async () => {
    const program = path.join(home, 'bin', 'go');
    if (!isExecutable(program))
      await fetchToolchain(`${proxy}/golang.org/toolchain/@v/${name}.zip`, hash, home, subject, config);
    return program;
  });
}

async function fetchToolchain(
  url: string,
  hash: string,
  home: string,
  subject: string,
  config: ProgramsConfig,
): Promise<void> {
  const part = path.join(config.cache, 'downloads', `go-${path.posix.basename(url)}.part`);
  const tell = (detail?: string): void => config.progress.step(subject, `fetching Go ${pinned.version}`, detail);
  tell();
  await download(url, part, config, tell).catch((error: unknown) => {
    if (error instanceof SourceUnavailable)
      throw new SourceUnavailable('no-go', `there is no Go 1.26 on PATH, and ${error.message}`);
    throw error;
  });
  const staging = await mkdtemp(`${home}.staging-`);
  try {
    await unpackToolchain(part, url, hash, staging);
    await rename(staging, home);
  } finally {
    await Promise.all([staging, part].map((left) => rm(left, { recursive: true, force: true })));
  }
}

/** Unpacks a Go module and compares its "h1" hash: that of the sorted list of the hashes of its files. */
export async function unpackToolchain(zip: string, url: string, expected: string, target: string): Promise<void> {
  const lines: string[] = [];
  for (const { name, content } of await zipEntries(zip)) {
    const bytes = await content();
    lines.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
    await unpackFile(path.posix.normalize(name.slice(name.indexOf('/', name.indexOf('@')) + 1)), bytes, target);
  }
  // Sorted by name, byte by byte, whatever the language of the machine.
  lines.sort((a, b) => Buffer.compare(Buffer.from(a.slice(66)), Buffer.from(b.slice(66))));
  const got = `h1:${createHash('sha256').update(lines.join('')).digest('base64')}`;
  if (got !== expected) throw badChecksum(shownUrl(url), expected, got);
}

async function unpackFile(name: string, bytes: Buffer, target: string): Promise<void> {
  if (name.startsWith('..') || path.isAbsolute(name))
    throw new SourceUnavailable('failed', `an archive has the file ${name}`);
  const file = path.join(target, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  // A module has no file modes; programs are where Go itself expects them.
  if (/^(bin|pkg\/tool)\//.test(name)) await chmod(file, 0o755);
}

/** The proxy that Go would ask; where there is no Go yet, its settings are read as Go reads them. */
export async function moduleProxy(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const config =
    env.GOENV ?? path.join(env.XDG_CONFIG_HOME ?? path.join(env.HOME ?? homedir(), '.config'), 'go', 'env');
  const settings = await readFile(config, 'utf8').catch(() => '');
  const setting = env.GOPROXY || /^GOPROXY=(.+)$/m.exec(settings)?.[1] || standardProxy;
  return setting
    .split(/[,|]/)
    .find((entry) => /^https?:/.test(entry))
    ?.replace(/\/+$/, '');
}

const standardProxy = `https://${['proxy', 'golang', 'org'].join('.')}`;
