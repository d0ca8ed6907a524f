// The sockets of a platform, which are at paths that everybody can compute: used only where nobody else can have made them.
import { CausewayError } from '../../core/errors.ts';
import { ownStats, refuseOthers } from '../../sys/own-path.ts';
import type { PlatformHome } from './home.ts';

/** The directory of the sockets, if it is there: a directory of ours that nobody else can look into. */
export function ownRunDirectory({ run }: PlatformHome): boolean {
  const stats = ownStats(run, foreign);
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw foreign(run, 'it is no directory');
  refuseOthers(run, stats, foreign);
  return true;
}

/** The control socket, if it is there: a socket of ours in a directory of ours. To be asked before each connection. */
export function ownControlSocket(home: PlatformHome): boolean {
  if (!ownRunDirectory(home)) return false;
  const stats = ownStats(home.controlSocket, foreign);
  if (stats === undefined) return false;
  if (!stats.isSocket()) throw foreign(home.controlSocket, 'it is no socket');
  refuseOthers(home.controlSocket, stats, foreign);
  return true;
}

const foreign = (at: string, why: string): CausewayError =>
  new CausewayError(
    'CW-UP-RUN-DIRECTORY',
    `${at} is not only yours, so no socket there is used: ${why}`,
    `set XDG_RUNTIME_DIR to a directory that only you can write to; or see whose it is ("ls -ld '${at}'"), and remove it where nobody else needs it`,
  );
