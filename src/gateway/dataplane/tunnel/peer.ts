// Whoever is at the other end of a tunnel's connection.
import type { Endpoint } from '../../../net/wire/wire.ts';
import type { Listener } from '../interfaces.ts';
import type { ClientIdentity } from './client-identity.ts';

export interface TunnelPeer {
  readonly listener: Listener;
  /** The real agent, balancers looked through. */
  readonly remote: Endpoint;
  readonly local: Endpoint;
  /** It came with TLS. */
  readonly secure: boolean;
  /** Its client certificate, where one was asked for and shown. */
  readonly identity?: ClientIdentity;
}
