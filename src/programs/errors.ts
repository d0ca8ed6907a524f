// Why a program cannot be had, in words for people. Every code is stable and documented in docs/guides/programs.md.
import { CausewayError } from '../core/errors.ts';
import { suggestion } from '../core/suggest.ts';

/** Why one source of a program cannot give it; the next source is tried. `CausewayError`, in contrast, ends the search. */
export type UnavailableReason = 'offline' | 'absent' | 'no-go' | 'no-tool' | 'failed';

export class SourceUnavailable extends Error {
  readonly why: UnavailableReason;
  /** What a server answered, where one did. */
  readonly status: number | undefined;
  constructor(why: UnavailableReason, message: string, status?: number) {
    super(message);
    this.name = 'SourceUnavailable';
    this.why = why;
    this.status = status;
  }
}

export const unknownProgram = (name: string, known: readonly string[]): CausewayError =>
  new CausewayError('CW-PROGRAM-UNKNOWN', `there is no program "${name.slice(0, 80)}"`, suggestion(name, known));

export const unknownVersion = (subject: string, because: string): CausewayError =>
  new CausewayError(
    'CW-PROGRAM-VERSION',
    `${subject} is no version that can be had: ${because}`,
    'choose a released version, as 1.36.3: with kubernetesVersion in a manifest, with kubectl@1.36.3 on the command line',
  );

export const badChecksum = (url: string, expected: string, got: string): CausewayError =>
  new CausewayError(
    'CW-PROGRAM-CHECKSUM',
    `${url} is not what its publisher released: its checksum should be ${expected} and is ${got}; nothing of it was kept`,
    'try again; if it stays so, something on the way changes downloads: ask the network team, or put the program on PATH yourself',
  );

/** Nobody vouches for what Go would build. */
export const unproven = (subject: string, known: readonly string[]): CausewayError =>
  new CausewayError(
    'CW-PROGRAM-UNPROVEN',
    `${subject} would be built from modules whose sums Causeway does not know, and Go's checksum database is switched off (GOSUMDB=off)`,
    `choose a version whose sums are known (${known.join(', ')}), let Go ask its checksum database, or put the program into a directory and name that in CAUSEWAY_PROGRAMS`,
  );

export const badModules = (subject: string, said: string): CausewayError =>
  new CausewayError(
    'CW-PROGRAM-CHECKSUM',
    `${subject} was not built, because a Go module is not what its author released: ${said}`,
    'ask the network team, or whoever runs the module proxy: something on the way changes modules; "go clean -modcache" forgets what came so far',
  );

export const diskFull = (directory: string): CausewayError =>
  new CausewayError(
    'CW-PROGRAM-DISK',
    `there is no space left on the disk of ${directory}`,
    'make room (a build of Kubernetes takes about 6 GB), or set CAUSEWAY_CACHE to a directory on a larger disk',
  );

export const cacheRefused = (directory: string, because: string): CausewayError =>
  new CausewayError(
    'CW-PROGRAM-CACHE',
    `${directory} cannot be written (${because})`,
    'set CAUSEWAY_CACHE to a directory that can be written',
  );

/** `others` are on PATH, in other versions. */
export function notHere(
  subject: string,
  version: string,
  name: string,
  others: readonly { readonly file: string; readonly says: string }[],
): CausewayError {
  const onPath =
    others.length === 0
      ? 'nor on PATH'
      : `nor on PATH, where ${others.map(({ file, says }) => `${file} ${says}`).join(', ')} and exactly ${version} is accepted`;
  return new CausewayError(
    'CW-PROGRAM-MISSING',
    `${subject} is neither in a named directory, nor in the cache, ${onPath}`,
    `causeway programs get ${name}${others.length === 0 ? '' : '; in a directory that CAUSEWAY_PROGRAMS names, any version is taken'}`,
  );
}

/** No source has it: the code says what would help most. */
export function nowhere(subject: string, sources: readonly SourceUnavailable[]): CausewayError {
  const reasons = sources.map(({ message }) => message).join('; ') || 'nobody offers it for this system';
  if (isAbsent(sources)) return unknownVersion(subject, reasons);
  const [code, fix] = remedy(sources);
  return new CausewayError(code, `${subject} cannot be had: ${reasons}`, fix);
}

/** Somebody who knows said that there is none, and nobody who answered has it. */
const isAbsent = (sources: readonly SourceUnavailable[]): boolean =>
  sources.some(({ why }) => why === 'absent') && sources.every(({ why }) => why === 'absent' || why === 'offline');

/** Asking again soon gives the same answer, and may cost much: a build that fails takes minutes each time. */
const permanent = new Set(['CW-PROGRAM-VERSION', 'CW-PROGRAM-UNKNOWN', 'CW-PROGRAM-PLATFORM', 'CW-PROGRAM-FAILED']);
export const isPermanent = (error: unknown): boolean => error instanceof CausewayError && permanent.has(error.code);

const byHand = 'or put the program into a directory and name that in CAUSEWAY_PROGRAMS';

function remedy(sources: readonly SourceUnavailable[]): [code: string, fix: string] {
  const has = (why: UnavailableReason): boolean => sources.some(({ why: other }) => other === why);
  if (has('failed')) return ['CW-PROGRAM-FAILED', `mend what the message says and try again, ${byHand}`];
  if (has('no-go')) return ['CW-PROGRAM-GO', `install Go 1.26 or later and put it on PATH, ${byHand}`];
  if (has('no-tool')) return ['CW-PROGRAM-TOOL', `install Python 3 with pip, ${byHand}`];
  if (has('offline')) {
    return [
      'CW-PROGRAM-OFFLINE',
      `try again with network (https_proxy, GOPROXY and pip's settings are honoured), ${byHand}`,
    ];
  }
  return ['CW-PROGRAM-PLATFORM', `use Linux on x64 or arm64, ${byHand}`];
}

/** Translates what the file system says about the cache; anything else stays as it is. */
export function cacheProblem(error: unknown, directory: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(directory);
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM' || code === 'ENOTDIR')
    return cacheRefused(directory, message);
  return error;
}
