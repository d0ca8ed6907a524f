// An API server at the end of a route: behind a gateway, through a corporate proxy.
import { dialRoute, type Route } from '../net/proxy-dial/index.ts';
import { duplexOfWire } from '../net/wire/index.ts';
import type { Dial } from './transport.ts';

/** One that fails says which step of the route it was, and what to do. */
export const dialOver =
  (route: Route): Dial =>
  async (signal) =>
    duplexOfWire((await dialRoute(route, { signal })).wire);
