// Where a connection that came in somewhere, by some name, goes at present.
import type { RouteTable, Target } from '../snapshot/index.ts';
import type { Listener } from './interfaces.ts';

/** `name` is a server name or an authority; empty where the listener alone decides. */
export function targetOf(routes: RouteTable, listener: Listener, name: string): Target | undefined {
  switch (listener.kind) {
    case 'nodePort':
      return routes.byNodePort(listener.port);
    case 'address':
      return routes.byAddress(listener.address, listener.port);
    default:
      return listener.kind === 'tunnel' ? routes.byAuthority(name) : (routes.bySni(name) ?? routes.byAuthority(name));
  }
}
