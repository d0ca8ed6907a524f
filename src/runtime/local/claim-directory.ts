// One platform per directory: whoever comes second is told who was first.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { withLock } from '../../sys/lock.ts';
import { type PlatformHome, platformHome } from './home.ts';
import { ownControlSocket } from './own-path.ts';

/** What gives the directory back. */
export type Release = () => Promise<void>;

interface Owner {
  readonly pid: number;
  readonly since: string;
}

/** One that was killed may need so long to be gone. */
const dyingMs = 5000;

/** The lock of an owner that is not there any more is taken over. */
export async function claimDirectory(directory: string): Promise<Release> {
  const home = platformHome(directory);
  const { state } = home;
  const deadline = performance.now() + dyingMs;
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const claimed = Promise.withResolvers<Release>();
  const given = Promise.withResolvers<void>();
  const held = withLock(
    path.join(state, 'up.lock'),
    () => {
      writeFileSync(ownerFile(state), JSON.stringify({ pid: process.pid, since: new Date().toISOString() }));
      claimed.resolve(async () => {
        given.resolve();
        await held;
      });
      return given.promise;
    },
    {
      waiting: async (owner) => {
        if (performance.now() > deadline || (await answers(home))) refuse(directory, state, owner);
      },
    },
  );
  held.catch(claimed.reject);
  return claimed.promise;
}

const ownerFile = (state: string): string => path.join(state, 'up.json');

/** Who runs a platform on this directory, as far as it was written down; it may be gone. */
export function lastOwner(state: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile(state), 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

const answers = (home: PlatformHome): Promise<boolean> =>
  new Promise((resolve) => {
    if (!ownControlSocket(home)) return resolve(false);
    const socket = connect(home.controlSocket, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

function refuse(directory: string, state: string, holder: string): never {
  const since = lastOwner(state)?.since;
  throw new CausewayError(
    'CW-UP-TWICE',
    `a platform runs on ${directory} already: ${holder}${since === undefined ? '' : `, since ${since}`}`,
    `"causeway status ${directory}" shows it, "causeway down ${directory}" stops it`,
  );
}
