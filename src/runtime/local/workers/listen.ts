import type { Server } from 'node:net';
import { CausewayError } from '../../../core/errors.ts';
import { type HostPort, hostPort } from '../../../net/host-port.ts';

/** Rejects with what a person can do about it. */
export const listening = (server: Server, { host, port }: HostPort): Promise<void> =>
  new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => reject(explained(hostPort(host, port), error));
    server.once('error', failed).listen({ host, port }, () => {
      server.off('error', failed);
      resolve();
    });
  });

const explained = (where: string, { code, message }: NodeJS.ErrnoException): CausewayError =>
  new CausewayError(
    'CW-WORKER-LISTEN',
    code === 'EADDRINUSE' ? `another program listens on ${where}` : `cannot listen on ${where} (${code ?? message})`,
    'stop the program that uses this address, or write another one into the manifests',
  );
