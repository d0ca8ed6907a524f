// What /etc/resolv.conf says, and in which order a name is asked for by it, by the rules of glibc (resolv.conf(5),
// res_search(3)): programs on one machine must agree on what a name means.
import { isIP } from 'node:net';

export interface ResolvConf {
  readonly servers: readonly string[];
  readonly search: readonly string[];
  /** A name with fewer dots is tried in the search domains first. */
  readonly ndots: number;
  /** For one question to one server. */
  readonly timeoutMs: number;
  /** How often each server is asked. */
  readonly attempts: number;
  readonly noAaaa: boolean;
}

const [mostServers, mostNdots, mostTimeout, mostAttempts] = [3, 15, 30, 5];

/** `hostName` is that of this machine: without search domains, its domain is searched. */
export function readResolvConf(text: string, hostName: string): ResolvConf {
  const lines = text.split('\n').filter((line) => !/^\s*[#;]/.test(line));
  const words = lines.map((line) => line.trim().split(/\s+/));
  const of = (...keys: readonly string[]): string[][] =>
    words.filter(([key = '']) => keys.includes(key)).map(([, ...values]) => values);
  const servers = of('nameserver').map(([address = '']) => address);
  const options = of('options').flat();
  const number = (name: string, fallback: number, most: number): number => {
    const value = options.findLast((option) => option.startsWith(`${name}:`))?.slice(name.length + 1) ?? '';
    return /^\d+$/.test(value) ? Math.min(Number(value), most) : fallback;
  };
  const usable = servers.filter((address) => isIP(address) > 0).slice(0, mostServers);
  return {
    servers: usable.length > 0 ? usable : ['127.0.0.1'],
    // The last line counts, as a whole.
    search: (of('search', 'domain').at(-1) ?? domainOf(hostName)).map(withoutEnd),
    ndots: number('ndots', 1, mostNdots),
    timeoutMs: Math.max(1, number('timeout', 5, mostTimeout)) * 1000,
    attempts: Math.max(1, number('attempts', 2, mostAttempts)),
    noAaaa: options.includes('no-aaaa'),
  };
}

function domainOf(hostName: string): string[] {
  const dot = hostName.indexOf('.');
  return dot < 0 || dot === hostName.length - 1 ? [] : [hostName.slice(dot + 1)];
}

const withoutEnd = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name);

/** What became of a question: the name has no address, its server could not tell, or nobody answered. */
export type Miss = 'none' | 'failed' | 'unanswered';

/** Yields the names to ask for, one after the other, until one is found; takes what became of the one before. */
export function* namesToAsk(host: string, { search, ndots }: ResolvConf): Generator<string, void, Miss> {
  if (host.endsWith('.')) {
    yield withoutEnd(host);
    return;
  }
  const asIsFirst = host.split('.').length > ndots;
  if (asIsFirst) yield host;
  let triedAsIs = asIsFirst;
  for (const domain of search) {
    // A search domain may be the root: then it is the name itself.
    if (domain === '') triedAsIs = true;
    const miss = yield domain === '' ? host : `${host}.${domain}`;
    // Who does not answer would not answer the next one either.
    if (miss === 'unanswered') break;
  }
  if (!triedAsIs) yield host;
}
