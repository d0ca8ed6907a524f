// PROXY protocol, versions 1 and 2 (HAProxy's proxy-protocol.txt): a balancer tells who its client is, in front of
// everything the client says. Read from balancers that are trusted, written to backends that want it.
import { formatIp, formatIpv4, newIpWords, readIp } from './ip-words.ts';
import type { Endpoint } from './wire/wire.ts';

export interface ProxyHeader {
  readonly state: 'done';
  /** Bytes of the header; what the client says starts behind them. */
  readonly length: number;
  /** Undefined: the balancer speaks for itself (LOCAL, UNKNOWN), and who connected is the client. */
  readonly source: Endpoint | undefined;
  readonly destination: Endpoint | undefined;
}
export type ProxyReading =
  | { readonly state: 'more' }
  | ProxyHeader
  | { readonly state: 'bad'; readonly detail: string };

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const firstWord = Buffer.from('PROXY', 'latin1');
const longestV1 = 107;
const fixedV2 = 16;
/** Addresses, and additions of half a kilobyte, which the specification asks receivers to take. */
const longestV2 = fixedV2 + 536;

const bad = (detail: string): ProxyReading => ({ state: 'bad', detail });
const more: ProxyReading = { state: 'more' };
const noHeader = bad('there is no PROXY protocol header');
const noEnd = bad('the line of version 1 does not end within 107 bytes');
const wrongLine = bad('the line of version 1 is not PROXY TCP4|TCP6 source destination port port');
const wrongVersion = bad('the version or command of the header is unknown');
const tooLong = bad('the header of version 2 has more than 552 bytes');
const tooShort = bad('the header of version 2 is too short for its addresses');

/** What the first `length` bytes say; 'more' means that they may still become a header. */
export function readProxyHeader(bytes: Buffer, length = bytes.length): ProxyReading {
  if (startsWith(bytes, length, signature)) return length < fixedV2 ? more : readV2(bytes, length);
  if (startsWith(bytes, length, firstWord)) return readV1(bytes, length);
  return noHeader;
}

/** True too while it is not decided yet. Nothing at all may become either. */
function startsWith(bytes: Buffer, length: number, start: Buffer): boolean {
  const known = Math.min(length, start.length);
  return bytes.compare(start, 0, known, 0, known) === 0;
}

function readV1(bytes: Buffer, length: number): ProxyReading {
  const end = lineEnd(bytes, Math.min(length, longestV1));
  if (end < 0) return length < longestV1 ? more : noEnd;
  const words = bytes.toString('latin1', 0, end).split(' ');
  const state = 'done';
  // What follows UNKNOWN is to be ignored.
  if (words[1] === 'UNKNOWN') return { state, length: end + 2, source: undefined, destination: undefined };
  const [, family, from, to, fromPort, toPort] = words;
  const source = endpointOf(family, from, fromPort);
  const destination = endpointOf(family, to, toPort);
  if (words.length !== 6 || source === undefined || destination === undefined) return wrongLine;
  return { state, length: end + 2, source, destination };
}

function lineEnd(bytes: Buffer, length: number): number {
  for (let i = 0; i + 1 < length; i++) if (bytes[i] === 13 && bytes[i + 1] === 10) return i;
  return -1;
}

const words = newIpWords();

function endpointOf(family = '', address = '', port = ''): Endpoint | undefined {
  if (family !== 'TCP4' && family !== 'TCP6') return undefined;
  const version = readIp(address, words);
  const isIpv6 = address.includes(':');
  if (version === 0 || address.includes('%') || isIpv6 !== (family === 'TCP6')) return undefined;
  const number = /^(?:0|[1-9]\d{0,4})$/.test(port) ? Number(port) : 65_536;
  return number > 65_535 ? undefined : { address: formatIp(version, words), port: number };
}

const [local, proxy] = [0x20, 0x21];
const [ipv4, ipv6, unixSocket] = [1, 2, 3];

function readV2(bytes: Buffer, length: number): ProxyReading {
  const command = bytes[12];
  if (command !== local && command !== proxy) return wrongVersion;
  const payload = bytes.readUInt16BE(14);
  if (fixedV2 + payload > longestV2) return tooLong;
  if (length < fixedV2 + payload) return more;
  // What follows LOCAL is to be ignored.
  const family = command === local ? 0 : (bytes[13] ?? 0) >> 4;
  if (payload < addressesLength(family)) return tooShort;
  return { state: 'done', length: fixedV2 + payload, ...pairOf(bytes, family) };
}

const addressesLength = (family: number): number =>
  family === ipv4 ? 12 : family === ipv6 ? 36 : family === unixSocket ? 216 : 0;

type Pair = Pick<ProxyHeader, 'source' | 'destination'>;
const nobody: Pair = { source: undefined, destination: undefined };
const pairOf = (bytes: Buffer, family: number): Pair =>
  family === ipv4 ? ipv4Pair(bytes) : family === ipv6 ? ipv6Pair(bytes) : nobody;

const ipv4Pair = (bytes: Buffer): Pair => ({
  source: { address: formatIpv4(bytes.readUInt32BE(16)), port: bytes.readUInt16BE(24) },
  destination: { address: formatIpv4(bytes.readUInt32BE(20)), port: bytes.readUInt16BE(26) },
});

const ipv6Pair = (bytes: Buffer): Pair => ({
  source: { address: ipv6At(bytes, 16), port: bytes.readUInt16BE(48) },
  destination: { address: ipv6At(bytes, 32), port: bytes.readUInt16BE(50) },
});

/** An IPv4 address in IPv6 notation is the IPv4 address, so that ranges hold it. */
function ipv6At(bytes: Buffer, at: number): string {
  for (let i = 0; i < 4; i++) words[i] = bytes.readUInt32BE(at + 4 * i);
  const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  return isMapped ? formatIpv4(words[3] ?? 0) : formatIp(6, words);
}

// The header of version 2 that a backend gets in front of the client's bytes.

const start = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** No header that is written is longer. */
export const longestWritten = 16 + 36;

const [from, to] = [newIpWords(), newIpWords()];

/**
 * Writes the header into `bytes` from `at` on and tells its length. Endpoints of different families are both written as
 * IPv6; without addresses it is a header that tells nothing (LOCAL).
 */
export function writeProxyHeader(bytes: Buffer, at: number, source: Endpoint, destination: Endpoint): number {
  const sourceFamily = readIp(source.address, from);
  const destinationFamily = readIp(destination.address, to);
  start.copy(bytes, at);
  if (sourceFamily === 0 || destinationFamily === 0) return finish(bytes, at, 0x20, 0, 0);
  if (sourceFamily === 4 && destinationFamily === 4) {
    bytes.writeUInt32BE(from[0] ?? 0, at + 16);
    bytes.writeUInt32BE(to[0] ?? 0, at + 20);
    writePorts(bytes, at + 24, source, destination);
    return finish(bytes, at, 0x21, 0x11, 12);
  }
  writeIpv6(bytes, at + 16, from, sourceFamily);
  writeIpv6(bytes, at + 32, to, destinationFamily);
  writePorts(bytes, at + 48, source, destination);
  return finish(bytes, at, 0x21, 0x21, 36);
}

function finish(bytes: Buffer, at: number, command: number, family: number, length: number): number {
  bytes[at + 12] = command;
  bytes[at + 13] = family;
  bytes.writeUInt16BE(length, at + 14);
  return 16 + length;
}

function writePorts(bytes: Buffer, at: number, source: Endpoint, destination: Endpoint): void {
  bytes.writeUInt16BE(source.port, at);
  bytes.writeUInt16BE(destination.port, at + 2);
}

function writeIpv6(bytes: Buffer, at: number, words: Uint32Array, family: 4 | 6): void {
  const mapped = family === 4;
  for (let i = 0; i < 4; i++) bytes.writeUInt32BE(mapped ? mappedWord(i, words) : (words[i] ?? 0), at + 4 * i);
}

const mappedWord = (index: number, words: Uint32Array): number =>
  index === 3 ? (words[0] ?? 0) : index === 2 ? 0xffff : 0;

export function proxyHeader(source: Endpoint, destination: Endpoint): Buffer {
  const bytes = Buffer.allocUnsafe(longestWritten);
  return bytes.subarray(0, writeProxyHeader(bytes, 0, source, destination));
}
