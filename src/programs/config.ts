import { homedir } from 'node:os';
import path from 'node:path';
import { type Mirrors, type Platform, type Program, platformName, thisPlatform } from './catalogue/program.ts';
import { type Progress, silent } from './progress.ts';

/** Everything that getting a program depends on, read from the environment once. */
export interface ProgramsConfig {
  env: NodeJS.ProcessEnv;
  /** The user's own programs, which win over everything. */
  named: string | undefined;
  /** Directories of PATH. */
  path: readonly string[];
  /** Where Go may be although it is not on PATH. */
  goHomes: readonly string[];
  /** Our own programs; what is in there is whole. */
  cache: string;
  platform: Platform;
  mirrors: Mirrors;
  timeouts: Timeouts;
  progress: Progress;
  /** Where the digests that we know are; ends with a slash. */
  pins?: URL;
}

/** Milliseconds. */
export interface Timeouts {
  /** Until a server gives its first answer: many machines reach package registries only, and must not wait long. */
  answer: number;
  /** Between two pieces of a download. */
  stall: number;
  /** Before a broken download is taken up again. */
  retry: number;
}

export interface ProgramOptions {
  /** A directory with programs, before anything else. @default the environment's CAUSEWAY_PROGRAMS */
  dir?: string;
  /** Who is told what happens. @default nobody */
  progress?: Progress;
  /** @default process.env */
  env?: NodeJS.ProcessEnv;
  timeouts?: Partial<Timeouts>;
  /** Where Go may be although it is not on PATH. @default where its own installer puts it */
  goHomes?: readonly string[];
  /** Where the digests that we know are; ends with a slash. @default those of this version */
  pins?: URL;
}

const set = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

export function programsConfig(options: ProgramOptions = {}): ProgramsConfig {
  const env = options.env ?? process.env;
  const named = options.dir ?? set(env.CAUSEWAY_PROGRAMS);
  return {
    env,
    named: named && path.resolve(named),
    path: (env.PATH ?? '').split(path.delimiter).filter((directory) => path.isAbsolute(directory)),
    goHomes: options.goHomes ?? ['/usr/local/go'],
    cache: path.join(cacheDirectory(env), 'programs'),
    platform: thisPlatform,
    mirrors: {
      kubernetes: withoutSlash(set(env.CAUSEWAY_KUBERNETES_MIRROR) ?? 'https://dl.k8s.io'),
      github: withoutSlash(set(env.CAUSEWAY_GITHUB_MIRROR) ?? 'https://github.com'),
      githubApi: withoutSlash(set(env.CAUSEWAY_GITHUB_API) ?? 'https://api.github.com'),
    },
    timeouts: { answer: 5000, stall: 30_000, retry: 500, ...options.timeouts },
    progress: options.progress ?? silent,
    ...(options.pins && { pins: options.pins }),
  };
}

/** The same directory as the launcher's. */
function cacheDirectory(env: NodeJS.ProcessEnv): string {
  if (set(env.CAUSEWAY_CACHE)) return path.resolve(env.CAUSEWAY_CACHE as string);
  const base = set(env.XDG_CACHE_HOME) ?? path.join(set(env.HOME) ?? homedir(), '.cache');
  return path.join(base, 'causeway');
}

/** Where the programs of one bundle and version are kept, below a cache or a copy of one. */
export const bundleDirectory = (cache: string, program: Program, version: string, platform: Platform): string =>
  path.join(cache, program.bundle, version, platformName(platform));
