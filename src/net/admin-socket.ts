// A unix socket that only its user can open, in directories where nobody else can put another one in its place.
import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { CausewayError } from '../core/errors.ts';
import { makeDirectory } from '../sys/make-directory.ts';
import { ownStats } from '../sys/own-path.ts';

/** Its directory is made where it is missing, for this user alone. */
export async function listenOnSocket(server: Server, socket: string): Promise<void> {
  const directory = path.dirname(path.resolve(socket));
  // Judged up to the socket itself: every directory on the way is looked at, and what is there now does not matter.
  ownStats(socket, foreign);
  makeDirectory(directory, 0o700);
  ownStats(socket, foreign);
  if (await isLeftBehind(socket)) rmSync(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // From the first moment on nobody else may use the socket.
    const before = process.umask(0o177);
    server.listen({ path: socket }, resolve);
    process.umask(before);
  });
  chmodSync(socket, 0o600);
}

const foreign = (at: string, why: string): CausewayError =>
  new CausewayError(
    'CW-ADMIN-SOCKET',
    `${at} is not only yours, so no admin socket is made there: ${why}`,
    `see who made it ("ls -ld '${at}'"), or name another place: --admin unix:PATH, in a directory that only you can write to`,
  );

/** A program that was killed leaves its socket behind: nobody answers there. */
const isLeftBehind = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = connect({ path: socket });
    asked.once('connect', () => resolve(false)).once('connect', () => asked.destroy());
    asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
