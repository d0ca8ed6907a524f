import { createServer } from 'node:net';
import type { HostPort } from './host-port.ts';

/** Whether nobody listens there, at this moment. */
export const isFree = ({ host, port }: HostPort): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
