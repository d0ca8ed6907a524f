// Shared ports let anybody of the same user in. Workers that a killed supervisor left behind are welcome to share with
// the next one; others are not. What tells them apart is a name that each worker holds while it accepts: the system
// forgets it when the process ends, however it ends.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { readAdminAddress } from '../../net/admin-address.ts';

export interface ServingMark {
  remove(): void;
}

/** An abstract unix socket (Linux), seen by whoever sees the same ports. Nobody has anything to say to it. */
export function markServing(admin: string): ServingMark {
  const server = createServer((socket) => socket.destroy()).on('error', () => {});
  if (process.platform === 'linux') server.listen(`\0${nameOf(admin)}${process.pid}`).unref();
  return { remove: () => void server.close() };
}

/** Workers of a gateway with this admin address accept connections, whether or not their supervisor is alive. */
export function workersServe(admin: string | undefined): boolean {
  if (admin === undefined) return false;
  try {
    return readFileSync('/proc/net/unix', 'latin1').includes(` @${nameOf(admin)}`);
  } catch {
    return false;
  }
}

const nameOf = (admin: string): string => {
  const address = readAdminAddress(admin);
  const text = address.path === undefined ? admin : path.resolve(address.path);
  return `causeway-gateway/${createHash('sha256').update(text).digest('hex').slice(0, 24)}/`;
};
