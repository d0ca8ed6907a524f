// Who is connected: the address of the peer, or behind a balancer that is trusted what the balancer says of it.
import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { contains, formatAddress, type IpRange, parseAddress, rangeOf } from '../../core/ip.ts';
import type { ApiEnv } from '../context.ts';

/** `balancers` are trusted: whoever connects from there says in X-Forwarded-For whom it speaks for. */
export const clientAddress =
  (balancers: readonly IpRange[]): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    c.set('client', addressOf(c.env?.incoming?.socket.remoteAddress, c.req.header('x-forwarded-for'), balancers));
    await next();
  };

/** Requests of the control socket have none. */
export const clientOf = (c: Context<ApiEnv>): string => c.get('client') ?? '';

/** What limits count by. Whoever has one IPv6 address has all 2⁶⁴ of its network. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const { family, value } = parseAddress(address);
  return `${formatAddress({ family, value: (value >> 64n) << 64n })}/64`;
}

/** The last address that was not added by a balancer of ours: what is before it, the client could have written. */
function addressOf(peer: string | undefined, forwarded: string | undefined, balancers: readonly IpRange[]): string {
  let client = plain(peer ?? '');
  for (const said of (forwarded ?? '').split(',').reverse().slice(0, mostHops)) {
    if (!isIn(client, balancers)) return client;
    const next = plain(said.trim());
    if (isIP(next) === 0) return client;
    client = next;
  }
  return client;
}

const mostHops = 20;

/** IPv4 as such, and without the name of an interface. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');

const isIn = (address: string, ranges: readonly IpRange[]): boolean =>
  ranges.length > 0 && isIP(address) !== 0 && ranges.some((range) => contains(range, rangeOf(parseAddress(address))));
