// Why a component does not run, and what to do, from what it or the system said.
import { CausewayError } from '../../core/errors.ts';
import { isPermanent } from '../../programs/index.ts';
import { portOwner } from './procfs.ts';

export interface FailureReason {
  readonly why: string;
  /** What a person must do; absent where trying again may be enough. */
  readonly fix?: string;
  /** It stays so until something else is wanted, or a person does something. */
  readonly permanent?: boolean;
}

type Rule = readonly [pattern: RegExp, reason: (match: RegExpExecArray) => FailureReason];

const rules: readonly Rule[] = [
  [/(?:^|\s|\[)(\S*):(\d{1,5})\]?:? bind: address already in use/i, ([, , port]) => portInUse(Number(port))],
  [/address already in use(?: \S*?:(\d{1,5})\b)?/i, ([, port]) => portInUse(Number(port))],
  [
    /bind: permission denied|EACCES: permission denied \S+:\d+/i,
    () => ({
      why: 'it may not listen on its port, because ports below 1024 are for root',
      fix: 'choose a port from 1024 on in the manifests',
    }),
  ],
  [
    /no space left on device|ENOSPC|disk quota exceeded|EDQUOT/i,
    () => ({ why: 'the disk is full', fix: 'free space where the state directory is' }),
  ],
  [
    /mvcc: database space exceeded/i,
    () => ({ why: 'etcd has reached its quota and takes no more', fix: 'delete objects, then compact and defragment' }),
  ],
  [
    /certificate has expired|not yet valid|CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/i,
    () => ({
      why: 'a certificate is not valid at the time that the clock of this machine shows',
      fix: 'set the clock right (timedatectl tells it); certificates are renewed by themselves',
    }),
  ],
  [
    /(?:EACCES|EPERM|EROFS)\b.*?'([^']+)'|(?:open|mkdir|stat|access|lock|unlink|rename) (\S+?):? (?:permission denied|operation not permitted|read-only file system)|permission denied/i,
    ([, quoted, named]) => notAllowed(quoted ?? named),
  ],
  [
    /ENOTDIR\b.*?'([^']+)'/,
    ([, file]) => ({
      why: `${file} cannot be made or read, because a part of its path is no directory`,
      fix: 'move away the file that is in the way',
    }),
  ],
];

function portInUse(port: number): FailureReason {
  if (!port) return { why: 'its port is in use by another process', fix: 'stop the process that has it' };
  const holder = portOwner(port);
  return {
    why: `port ${port} is in use by ${holder ?? 'a process of another user'}`,
    fix: holder === undefined ? `find it with "sudo ss -ltnp sport = :${port}" and stop it` : `stop ${holder}`,
  };
}

const notAllowed = (file: string | undefined): FailureReason => ({
  why: file === undefined ? 'it was refused a file that it needs (permission denied)' : `it may not use ${file}`,
  fix: `give ${file ?? 'the files of the state directory'} to the user who runs this, with permission to read and write`,
});

/** From the lines a component said last. */
export function reasonInLog(lines: readonly string[]): FailureReason | undefined {
  for (const line of lines.toReversed()) {
    for (const [pattern, reason] of rules) {
      const match = pattern.exec(line);
      if (match) return reason(match);
    }
  }
  return undefined;
}

export function reasonOfExit(ending: string, lines: readonly string[]): FailureReason {
  const known = reasonInLog(lines);
  if (known) return known;
  if (ending === 'SIGKILL') return { why: 'it was killed (SIGKILL), by somebody or for want of memory' };
  const last = lines.findLast((line) => line.trim() !== '');
  const how = ending.startsWith('exit code') || ending === 'ended' ? `it ended (${ending})` : `it ended by ${ending}`;
  return { why: last === undefined ? `${how} without a word` : `${how} and said last: ${shortened(last)}` };
}

/** Addresses may have passwords in them. */
const shortened = (line: string): string => line.replace(/\/\/[^/@\s]+@/g, '//').slice(0, 300);

/** From what the system said when we prepared or started it. */
export function reasonOfFailure(error: unknown): FailureReason {
  const { code, message, syscall = '', path = '' } = error as NodeJS.ErrnoException;
  if (error instanceof CausewayError) return (code === 'CW-WRITE' ? reasonInLog([message]) : undefined) ?? known(error);
  if (syscall.startsWith('spawn')) return notRunnable(code ?? message, path);
  return reasonInLog([message]) ?? { why: message };
}

const known = (error: CausewayError): FailureReason => ({
  why: error.message,
  fix: error.fix,
  ...(isPermanent(error) ? { permanent: true } : {}),
});

function notRunnable(code: string, program: string): FailureReason {
  if (code === 'ENOENT') return { why: `the program ${program} is not there`, fix: 'bring it back, or name another' };
  if (code === 'EACCES')
    return { why: `the program ${program} may not be run`, fix: `make it executable: chmod +x ${program}` };
  if (code === 'ENOEXEC' || code === 'UNKNOWN')
    return {
      why: `the program ${program} is not made for this machine`,
      fix: 'put one for this processor in its place',
    };
  return { why: `the program ${program} cannot be started (${code})` };
}
