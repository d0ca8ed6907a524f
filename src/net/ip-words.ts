// Addresses as 32-bit words: what is done for every connection must not make big integers. The words land in an array
// of the caller's, and an IPv4 address in IPv6 notation is the IPv4 address.
import { isIPv6 } from 'node:net';

/** Four words; IPv4 uses the first only. */
export type IpWords = Uint32Array;
export const newIpWords = (): IpWords => new Uint32Array(4);

/** Puts the address into `words` and tells its family; 0 means that the text is no address. A zone is passed over. */
export function readIp(text: string, words: IpWords): 0 | 4 | 6 {
  if (readIpv4(text, 0, words)) return 4;
  if (!text.includes(':') || !isIPv6(text)) return 0;
  readIpv6(text, words);
  if (words[0] !== 0 || words[1] !== 0 || words[2] !== 0xffff) return 6;
  words[0] = words[3] ?? 0;
  return 4;
}

/** Dotted quad from `start` to the end, without leading zeros: some libraries read those as octal. */
function readIpv4(text: string, start: number, words: IpWords): boolean {
  if (text.length - start > 15) return false;
  let [value, octets, at] = [0, 0, start];
  while (octets < 4) {
    const end = digitsEnd(text, at);
    const octet = octetOf(text, at, end);
    if (octet < 0) return false;
    value = value * 256 + octet;
    at = end + 1;
    if (++octets < 4 && text.charCodeAt(end) !== 46) return false;
  }
  words[0] = value;
  return at === text.length + 1;
}

function digitsEnd(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++;
  return at;
}

function octetOf(text: string, start: number, end: number): number {
  if (end === start || end > start + 3 || (end > start + 1 && text.charCodeAt(start) === 48)) return -1;
  let value = 0;
  for (let i = start; i < end; i++) value = value * 10 + text.charCodeAt(i) - 48;
  return value > 255 ? -1 : value;
}

const groups = new Uint16Array(8);

/** The text is known to be an IPv6 address, so only its values are of interest. */
function readIpv6(text: string, words: IpWords): void {
  const zone = text.indexOf('%');
  const end = zone < 0 ? text.length : zone;
  readGroups(text, end, words);
  for (let i = 0; i < 4; i++) words[i] = ((groups[2 * i] ?? 0) << 16) | (groups[2 * i + 1] ?? 0);
}

function readGroups(text: string, end: number, words: IpWords): void {
  groups.fill(0);
  let [count, gapAt, at] = [0, -1, 0];
  while (at < end) {
    if (text.charCodeAt(at) === 58) {
      // "::", or the colon between two groups.
      if (text.charCodeAt(at + 1) === 58) [gapAt, at] = [count, at + 2];
      else at++;
      continue;
    }
    const next = groupEnd(text, at, end);
    if (text.charCodeAt(next) === 46) {
      readIpv4(text.slice(0, end), at, words);
      groups[count++] = (words[0] ?? 0) >>> 16;
      groups[count++] = words[0] ?? 0;
      break;
    }
    groups[count++] = Number.parseInt(text.slice(at, next), 16);
    at = next;
  }
  if (gapAt < 0 || count === 8) return;
  // What stood behind the gap belongs to the end.
  groups.copyWithin(8 - (count - gapAt), gapAt, count);
  groups.fill(0, gapAt, 8 - (count - gapAt));
}

function groupEnd(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) !== 58 && text.charCodeAt(at) !== 46) at++;
  return at;
}

/** One text for one address: lower case, the longest run of zero groups shortened (RFC 5952). */
export function formatIp(family: 4 | 6, words: IpWords): string {
  if (family === 4) return formatIpv4(words[0] ?? 0);
  const parts: number[] = [];
  for (const word of words) parts.push(word >>> 16, word & 0xffff);
  const [start, length] = longestZeros(parts);
  const text = (from: number, to: number): string =>
    parts
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  return length < 2 ? text(0, 8) : `${text(0, start)}::${text(start + length, 8)}`;
}

export const formatIpv4 = (value: number): string =>
  `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;

function longestZeros(parts: readonly number[]): [start: number, length: number] {
  let [best, bestLength, run] = [0, 0, 0];
  parts.forEach((part, i) => {
    run = part === 0 ? run + 1 : 0;
    if (run > bestLength) [best, bestLength] = [i - run + 1, run];
  });
  return [best, bestLength];
}

const scratch = newIpWords();

/** The one text of an address, or nothing if it is none. Zones are dropped, mapped addresses are IPv4. */
export function canonicalIp(text: string): string | undefined {
  const family = readIp(text, scratch);
  return family === 0 ? undefined : formatIp(family, scratch);
}

export const isIp = (text: string): boolean => readIp(text, scratch) !== 0;
