// Addresses as numbers: parse at the edge once, compare intervals everywhere else.
// ip-bigint does the digits; what is refused (host bits, mapped addresses, zones) is decided here.
import { isIP } from 'node:net';
import { parseIp, stringifyIp } from 'ip-bigint';

export type Family = 4 | 6;
export interface Ip {
  readonly family: Family;
  readonly value: bigint;
}
/** A closed interval of addresses of one family; a CIDR is one, `a-b` is one, a single address is one. */
export interface IpRange {
  readonly family: Family;
  readonly first: bigint;
  readonly last: bigint;
}
export interface Cidr extends IpRange {
  readonly prefix: number;
}

/** Why a text is no address, in words that can be shown as they are; `fix` is the text that would be right, if known. */
export class IpError extends Error {
  readonly fix: string | undefined;
  constructor(message: string, fix?: string) {
    super(message);
    this.name = 'IpError';
    this.fix = fix;
  }
}

export const bitsOf = (family: Family): number => (family === 4 ? 32 : 128);
export const sizeOf = (r: IpRange): bigint => r.last - r.first + 1n;

export function parseAddress(text: string): Ip {
  if (text.includes('%'))
    throw new IpError(`${text} carries a zone, which means nothing on another machine`, text.split('%')[0]);
  if (isIP(text) === 0) throw new IpError(`${text} is not an IP address`);
  const parsed = parseIp(text);
  // Told by the number, because it can be written in hexadecimal too.
  if (parsed.version === 6 && parsed.number >> 32n === 0xffffn) {
    const v4 = formatAddress({ family: 4, value: parsed.number & 0xffff_ffffn });
    throw new IpError(`${text} is an IPv4 address in IPv6 notation`, v4);
  }
  return { family: parsed.version, value: parsed.number };
}

export function parseCidr(text: string): Cidr {
  const [address, length, ...rest] = text.split('/');
  if (address === undefined || length === undefined || rest.length > 0) {
    throw new IpError(`${text} is not a network: it needs an address, a slash and a length`, suggestCidr(text));
  }
  const { family, value } = parseAddress(address);
  const prefix = parsePrefix(text, length, family);
  const mask = hostMask(family, prefix);
  const network = value & ~mask;
  if (network !== value) {
    throw new IpError(`${text} has host bits set`, `${formatAddress({ family, value: network })}/${prefix}`);
  }
  return { family, first: network, last: network | mask, prefix };
}

/** `10.0.0.0/24`, `10.0.0.10-10.0.0.20` or a single address. */
export function parseRange(text: string): IpRange {
  if (text.includes('/')) return parseCidr(text);
  const [from, to, ...rest] = text.split('-').map((part) => part.trim());
  if (from === undefined || rest.length > 0) throw new IpError(`${text} is not a range of addresses`);
  const first = parseAddress(from);
  const last = to === undefined ? first : parseAddress(to);
  if (first.family !== last.family) throw new IpError(`${text} mixes IPv4 and IPv6`);
  if (last.value < first.value) throw new IpError(`${text} ends before it starts`, `${to}-${from}`);
  return { family: first.family, first: first.value, last: last.value };
}

export const formatAddress = (ip: Ip): string => stringifyIp({ number: ip.value, version: ip.family });
export const formatCidr = (c: Cidr): string => `${formatAddress({ family: c.family, value: c.first })}/${c.prefix}`;

/** One text for one set of addresses: a CIDR where it is one, a single address, else `a-b`. */
export function formatRange(r: IpRange): string {
  const at = (value: bigint): string => formatAddress({ family: r.family, value });
  if (r.first === r.last) return at(r.first);
  const size = sizeOf(r);
  const aligned = (size & (size - 1n)) === 0n && r.first % size === 0n;
  return aligned
    ? `${at(r.first)}/${bitsOf(r.family) - (size.toString(2).length - 1)}`
    : `${at(r.first)}-${at(r.last)}`;
}

export const overlaps = (a: IpRange, b: IpRange): boolean =>
  a.family === b.family && a.first <= b.last && b.first <= a.last;
export const contains = (outer: IpRange, inner: IpRange): boolean =>
  outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
export const rangeOf = (ip: Ip): IpRange => ({ family: ip.family, first: ip.value, last: ip.value });

function parsePrefix(text: string, length: string, family: Family): number {
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (!(prefix <= bitsOf(family)))
    throw new IpError(`${text} has no valid length after the slash (0-${bitsOf(family)})`);
  return prefix;
}

function suggestCidr(text: string): string | undefined {
  const version = isIP(text);
  return version === 0 ? undefined : `${text}/${bitsOf(version as Family)}`;
}

const hostMask = (family: Family, prefix: number): bigint => (1n << BigInt(bitsOf(family) - prefix)) - 1n;
