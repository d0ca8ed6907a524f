// Whether something at a path can only have been put there by ourselves or by root. A path below a directory that others
// write to is known to them in advance: whoever comes first could answer in our place.
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';

/** What is thrown for a path that is not only ours. */
export type Foreign = (at: string, why: string) => Error;

const ownUser = (): number => process.geteuid?.() ?? 0;
const mostLinks = 40;

/** Of the last part itself, after all parts before it were judged; undefined where a part is missing. */
export function ownStats(target: string, foreign: Foreign): Stats | undefined {
  const left = path.resolve(target).split(path.sep).filter(Boolean);
  let done: string = path.sep;
  let links = 0;
  refuseExchange(done, lstatSync(done), foreign);
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const at = path.join(done, name);
    const stats = look(at, foreign);
    if (stats === undefined || left.length === 0) return stats;
    if (stats.isSymbolicLink()) {
      refuseForeign(at, stats, foreign);
      if (++links > mostLinks) throw foreign(at, 'it leads in a circle');
      const to = readlinkSync(at);
      left.unshift(...to.split(path.sep).filter(Boolean));
      if (path.isAbsolute(to)) done = path.sep;
    } else {
      refuseExchange(at, stats, foreign);
      done = at;
    }
  }
  return undefined;
}

/** What is there is ours, and nobody else may use it. */
export function refuseOthers(at: string, { uid, mode }: Stats, foreign: Foreign): void {
  if (uid !== ownUser()) throw foreign(at, `it belongs to user ${uid}`);
  if ((mode & 0o077) !== 0) throw foreign(at, `other users may use it (mode ${(mode & 0o777).toString(8)})`);
}

function look(at: string, foreign: Foreign): Stats | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false });
  } catch (error) {
    throw foreign(at, `it cannot be looked at: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function refuseForeign(at: string, { uid }: Stats, foreign: Foreign): void {
  if (uid !== 0 && uid !== ownUser()) throw foreign(at, `it belongs to user ${uid}`);
}

/** In a directory with the sticky bit others can add entries, and cannot exchange those of ours. */
function refuseExchange(at: string, stats: Stats, foreign: Foreign): void {
  if (!stats.isDirectory()) throw foreign(at, 'it is no directory');
  refuseForeign(at, stats, foreign);
  if ((stats.mode & 0o022) !== 0 && (stats.mode & 0o1000) === 0)
    throw foreign(at, 'other users can exchange what is in it');
}
