// For a worker whose supervisor was killed: it goes on serving until another supervisor is there.
import { get } from 'node:http';
import { type AdminAddress, adminRequest } from '../../net/admin-address.ts';

export const instanceHeader = 'causeway-instance';
const lookMs = 500;

/** Without a connection for this long nobody needs us, whatever became of the supervisor. */
const idleMs = 10 * 60_000;

/** Resolves when somebody with another identity is ready at the admin address, or nobody connects any more. */
export async function successorAt(address: AdminAddress, instance: string, isIdle: () => boolean): Promise<string> {
  let busyAt = Date.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    const found = await readyInstance(address);
    if (found !== undefined && found !== instance) return 'another supervisor is there';
    if (!isIdle()) busyAt = Date.now();
    if (Date.now() - busyAt > idleMs) return 'nobody has been connected for ten minutes';
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
