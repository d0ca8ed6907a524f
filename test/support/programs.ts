import path from 'node:path';
import type { TestContext } from 'node:test';
import { isExecutable } from '../../src/sys/is-executable.ts';

interface Source {
  /** The Debian packages that bring the program, the preferred first; absent where Debian's is too old or has none. */
  debian?: readonly string[];
  /** What to do where there is no Debian package. */
  otherwise?: string;
}

/** The foreign programs that judge us. A test names one with `needProgram`; `causeway test` then installs it. */
export const programs = {
  nft: { debian: ['nftables'] },
  'named-checkzone': { debian: ['bind9-utils', 'bind9utils'] },
  haproxy: { debian: ['haproxy'] },
  // The stream module is a package of its own, which brings nginx along.
  nginx: { debian: ['libnginx-mod-stream', 'nginx'] },
  iperf3: { debian: ['iperf3'] },
  wrk: { debian: ['wrk'] },
  squid: { debian: ['squid-openssl', 'squid'] },
  openssl: { debian: ['openssl'] },
  vtysh: { debian: ['frr'] },
  bird: { debian: ['bird2'] },
  curl: { debian: ['curl'] },
  chromium: { debian: ['chromium'] },
  wget: { debian: ['wget'] },
  git: { debian: ['git'] },
  zsh: { debian: ['zsh'] },
  fish: { debian: ['fish'] },
  ip: { debian: ['iproute2'] },
  runc: { debian: ['runc'] },
  python3: { debian: ['python3'] },
  pip3: { debian: ['python3-pip'] },
  ruby: { debian: ['ruby'] },
  java: { debian: ['openjdk-17-jre-headless'] },
  'systemd-analyze': { debian: ['systemd'] },
  go: { otherwise: 'install Go 1.26 or later and put it on PATH' },
} as const satisfies Record<string, Source>;

export type ProgramName = keyof typeof programs;

export const debianPackagesOf = (name: ProgramName): readonly string[] => {
  const { debian = [] }: Source = programs[name];
  return debian;
};

// Daemons live where the PATH of a normal user does not look.
const systemDirectories = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/lib/frr', '/usr/local/go/bin'];

/** Where a program is, or undefined. */
export function findProgram(name: ProgramName): string | undefined {
  const directories = [...(process.env.PATH ?? '').split(path.delimiter), ...systemDirectories];
  return directories
    .filter((directory) => directory !== '')
    .map((directory) => path.join(directory, name))
    .find(isExecutable);
}

/** What to do about programs that are missing, in one line. */
export function howToInstall(...names: ProgramName[]): string {
  const sources: Source[] = names.map((name) => programs[name]);
  const packages = sources.flatMap(({ debian = [] }) => debian.slice(0, 1));
  const others = sources.flatMap(({ debian, otherwise = 'put it on PATH' }) =>
    debian === undefined ? [otherwise] : [],
  );
  return [...(packages.length === 0 ? [] : [`apt-get install ${packages.join(' ')}`]), ...others].join('; ');
}

/**
 * The path of a foreign program; undefined, with the test marked as skipped, where it is not installed.
 * Under CI a missing program fails the test, because nobody reads what CI skipped.
 *
 * @example const program = needProgram(t, name); if (!program) return;
 */
export function needProgram(t: TestContext, name: ProgramName): string | undefined {
  const found = findProgram(name);
  if (found !== undefined) return found;
  doWithout(t, `${name} is not installed: ${howToInstall(name)}.`);
  return undefined;
}

/** Whether this run may do what only root may, as namespaces and file systems. */
export function needRoot(t: TestContext, what: string): boolean {
  if (process.getuid?.() === 0) return true;
  doWithout(t, `only root can have ${what}.`);
  return false;
}

function doWithout(t: TestContext, sentence: string): void {
  if (process.env.CI === 'true') throw new Error(sentence);
  t.skip(sentence);
}
