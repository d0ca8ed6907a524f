// Shared ports let anybody of the same user in. Workers that a killed supervisor left behind are welcome to share with
// the next one; others are not. What tells them apart is a name that each worker holds while it accepts: the system
// forgets it when the process ends, however it ends.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import path from 'node:path';
import { type AdminAddress, adminRequest, readAdminAddress } from '../../net/index.ts';

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

// For a worker whose supervisor was killed: it goes on serving until another supervisor is there.

export const instanceHeader = 'causeway-instance';
const lookMs = 500;

/** Without a connection for this long nobody needs us, whatever became of the supervisor. */
const idleMs = 10 * 60_000;

/** Resolves when somebody with another identity is ready at the admin address, or nobody connects any more. */
export async function successorAt(address: AdminAddress, instance: string, isIdle: () => boolean): Promise<string> {
  let busyAt = performance.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    const found = await readyInstance(address);
    if (found !== undefined && found !== instance) return 'another supervisor is there';
    if (!isIdle()) busyAt = performance.now();
    if (performance.now() - busyAt > idleMs) return 'nobody has been connected for ten minutes';
  }
}

const readyInstance = (address: AdminAddress): Promise<string | undefined> =>
  new Promise((resolve) => {
    const options = { ...adminRequest(address), path: '/readyz', timeout: lookMs, agent: false };
    const asked = get(options, (response) => {
      response.resume();
      const instance = response.headers[instanceHeader];
      resolve(response.statusCode === 200 && typeof instance === 'string' ? instance : undefined);
    });
    asked.once('timeout', () => asked.destroy()).once('error', () => resolve(undefined));
  });
