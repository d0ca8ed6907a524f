// "Is this address in one of these networks?", asked for every connection: networks are compiled once into sorted words.
import { formatIp, type IpWords, newIpWords, readIp } from './ip-words.ts';

export interface IpNetwork {
  readonly family: 4 | 6;
  readonly prefix: number;
  readonly first: IpWords;
  readonly last: IpWords;
}
export type IpMatcher = (address: string) => boolean;

const scratch = newIpWords();

/** A network (10.0.0.0/8) or one address; a text says why it is neither, and what would be right. */
export function readNetwork(text: string): IpNetwork | string {
  const slash = text.indexOf('/');
  const address = slash < 0 ? text : text.slice(0, slash);
  const family = readIp(address, scratch);
  if (family === 0 || address.includes('%'))
    return `"${text.slice(0, 80)}" is not a network; write 10.0.0.0/8 or 2001:db8::/32`;
  if (family === 4 && address.includes(':'))
    return `"${text}" is an IPv4 address in IPv6 notation; write ${formatIp(4, scratch)}`;
  const prefix = slash < 0 ? bitsOf(family) : prefixOf(text.slice(slash + 1), family);
  if (prefix < 0) return `"${text.slice(0, 80)}" has no valid length after the slash (0-${bitsOf(family)})`;
  return networkOf(text, family, prefix);
}

const bitsOf = (family: 4 | 6): number => (family === 4 ? 32 : 128);

function prefixOf(digits: string, family: 4 | 6): number {
  if (digits.length === 0 || digits.length > 3) return -1;
  let value = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value > bitsOf(family) ? -1 : value;
}

function networkOf(text: string, family: 4 | 6, prefix: number): IpNetwork | string {
  const [first, last] = [newIpWords(), newIpWords()];
  let exact = true;
  for (let i = 0; i < bitsOf(family) / 32; i++) {
    const word = scratch[i] ?? 0;
    const host = hostBits(prefix - 32 * i);
    first[i] = word & ~host;
    last[i] = word | host;
    exact &&= first[i] === word;
  }
  if (exact) return { family, prefix, first, last };
  return `"${text}" has host bits set; write ${formatIp(family, first)}/${prefix}`;
}

/** Bits of a word that belong to the host, when `prefix` bits of the rest belong to the network. */
const hostBits = (prefix: number): number => (prefix <= 0 ? 0xffff_ffff : prefix >= 32 ? 0 : 0xffff_ffff >>> prefix);

/** The texts must be networks; those that are not match nothing. */
export function compileNetworks(texts: readonly string[]): IpMatcher {
  const networks = texts.map(readNetwork).filter((network) => typeof network !== 'string');
  const v4 = tableOf(networks, 4, 1);
  const v6 = tableOf(networks, 6, 4);
  return (address) => {
    const family = readIp(address, scratch);
    if (family === 0) return false;
    return family === 4 ? isIn(v4, 1) : isIn(v6, 4);
  };
}

/** First and last of each network, sorted. Networks are nested or apart, so leaving out the nested ones is all it takes. */
function tableOf(networks: readonly IpNetwork[], family: 4 | 6, width: number): Uint32Array {
  const sorted = networks.filter((network) => network.family === family).sort(byStartThenSize);
  const kept: IpNetwork[] = [];
  for (const network of sorted) {
    const before = kept.at(-1);
    if (before === undefined || compare(before.last, 0, network.last, width) < 0) kept.push(network);
  }
  const table = new Uint32Array(kept.length * 2 * width);
  kept.forEach(({ first, last }, i) => {
    table.set(first.subarray(0, width), 2 * i * width);
    table.set(last.subarray(0, width), (2 * i + 1) * width);
  });
  return table;
}

const byStartThenSize = (a: IpNetwork, b: IpNetwork): number => compare(a.first, 0, b.first, 4) || a.prefix - b.prefix;

function compare(table: Uint32Array, at: number, words: IpWords, width: number): number {
  for (let i = 0; i < width; i++) {
    const difference = (table[at + i] ?? 0) - (words[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Looks for the address in `scratch`: the last network that does not start behind it must reach it. */
function isIn(table: Uint32Array, width: number): boolean {
  let [low, high] = [0, table.length / (2 * width)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(table, 2 * middle * width, scratch, width) <= 0) low = middle + 1;
    else high = middle;
  }
  return low > 0 && compare(table, (2 * low - 1) * width, scratch, width) >= 0;
}
