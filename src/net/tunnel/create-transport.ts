// The transports by name.

import { AutoLink } from './auto-link.ts';
import { H2Link } from './h2/h2-link.ts';
import type { MakeLink } from './link.ts';
import type { Transport, TransportOptions } from './transport.ts';
import { trunkProtocol } from './trunk/frame.ts';
import { TrunkLink } from './trunk/trunk-link.ts';
import { Tunnel } from './tunnel.ts';

const makers = {
  trunk: (address, host) => new TrunkLink(address, host),
  h2: (address, host) => new H2Link(address, host),
  auto: (address, host) => new AutoLink(address, host),
} satisfies Record<string, MakeLink>;

export const createTransport = (options: TransportOptions): Transport =>
  new Tunnel(options, makers[options.protocol ?? 'auto']);

/** Names for ALPN, in the order of preference. */
export const tunnelProtocols = { auto: [trunkProtocol, 'h2'], trunk: [trunkProtocol], h2: ['h2'] } as const;
