// Whether something at a path can only have been put there by ourselves or by root. A path below a directory that others
// write to is known to them in advance: whoever comes first could answer in the place of the platform.
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import type { PlatformHome } from './home.ts';

const ownUser = (): number => process.geteuid?.() ?? 0;
const mostLinks = 40;

/** The directory of the sockets, if it is there: a directory of ours that nobody else can look into. */
export function ownRunDirectory({ run }: PlatformHome): boolean {
  const stats = statsOf(run);
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw foreign(run, 'it is no directory');
  refuseOthers(run, stats);
  return true;
}

/** The control socket, if it is there: a socket of ours in a directory of ours. To be asked before each connection. */
export function ownControlSocket(home: PlatformHome): boolean {
  if (!ownRunDirectory(home)) return false;
  const stats = statsOf(home.controlSocket);
  if (stats === undefined) return false;
  if (!stats.isSocket()) throw foreign(home.controlSocket, 'it is no socket');
  refuseOthers(home.controlSocket, stats);
  return true;
}

function refuseOthers(at: string, { uid, mode }: Stats): void {
  if (uid !== ownUser()) throw foreign(at, `it belongs to user ${uid}`);
  if ((mode & 0o077) !== 0) throw foreign(at, `other users may use it (mode ${(mode & 0o777).toString(8)})`);
}

/** Of the last part itself, after all parts before it were judged; undefined where a part is missing. */
function statsOf(target: string): Stats | undefined {
  const left = path.resolve(target).split(path.sep).filter(Boolean);
  let done: string = path.sep;
  let links = 0;
  refuseExchange(done, lstatSync(done));
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const at = path.join(done, name);
    const stats = look(at);
    if (stats === undefined || left.length === 0) return stats;
    if (stats.isSymbolicLink()) {
      refuseForeign(at, stats);
      if (++links > mostLinks) throw foreign(at, 'it leads in a circle');
      const to = readlinkSync(at);
      left.unshift(...to.split(path.sep).filter(Boolean));
      if (path.isAbsolute(to)) done = path.sep;
    } else {
      refuseExchange(at, stats);
      done = at;
    }
  }
  return undefined;
}

function look(at: string): Stats | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false });
  } catch (error) {
    throw foreign(at, `it cannot be looked at: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function refuseForeign(at: string, { uid }: Stats): void {
  if (uid !== 0 && uid !== ownUser()) throw foreign(at, `it belongs to user ${uid}`);
}

/** In a directory with the sticky bit others can add entries, and cannot exchange those of ours. */
function refuseExchange(at: string, stats: Stats): void {
  if (!stats.isDirectory()) throw foreign(at, 'it is no directory');
  refuseForeign(at, stats);
  if ((stats.mode & 0o022) !== 0 && (stats.mode & 0o1000) === 0)
    throw foreign(at, 'other users can exchange what is in it');
}

const foreign = (at: string, why: string): CausewayError =>
  new CausewayError(
    'CW-UP-RUN-DIRECTORY',
    `${at} is not only yours, so no socket there is used: ${why}`,
    `see who made it ("ls -ld '${at}'") and remove it, or set XDG_RUNTIME_DIR to a directory that only you can write to`,
  );
