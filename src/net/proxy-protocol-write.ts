// The header of version 2 that a backend gets in front of the client's bytes.
import { newIpWords, readIp } from './ip-words.ts';
import type { Endpoint } from './wire/wire.ts';

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
