// For programs that dial names only, on a machine where nobody resolves the platform's names: a proxy on loopback that
// knows these names, brings their connections to the gateway's address, and nothing anywhere else.
import { type HostPort, hostPort } from '../../../../net/host-port.ts';
import { type ConnectServer, openConnectServer } from './connect-server.ts';

export interface NameForwarder extends ConnectServer {
  /** http://host:port */
  readonly url: string;
  /** host:port as it is asked for, and where that is. */
  know(places: ReadonlyMap<string, HostPort>): void;
}

export async function openNameForwarder(listen: HostPort): Promise<NameForwarder> {
  let known: ReadonlyMap<string, HostPort> = new Map();
  const server = await openConnectServer(
    listen,
    (target) => known.get(hostPort(target.host, target.port)) ?? { status: 403, words: 'Forbidden' },
  );
  return {
    ...server,
    url: `http://${listen.host}:${server.port}`,
    know: (places) => {
      known = places;
    },
  };
}
