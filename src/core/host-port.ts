// host:port as people write it: names, IPv4, and IPv6 in brackets.
import { isIP, isIPv6 } from 'node:net';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export const hostPort = (host: string, port: number): string =>
  isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;

/** An address that leads nowhere from another machine. */
export const isLoopback = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));

const dnsName = /^(?=.{1,253}\.?$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i;

/** Undefined for anything that is not a host with a port between 0 and 65535. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, six, other, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? other;
  const port = Number(digits);
  if (host === undefined || !(port <= 65_535)) return undefined;
  return isHost(host, six !== undefined) ? { host, port } : undefined;
}

const isHost = (host: string, bracketed: boolean): boolean =>
  bracketed ? isIPv6(host) : isIP(host) === 4 || (!/^[\d.]+$/.test(host) && dnsName.test(host));
