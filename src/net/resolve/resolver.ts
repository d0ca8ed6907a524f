// Names of hosts to addresses: /etc/hosts, then DNS by /etc/resolv.conf, both read again when they change. Other sources of
// nsswitch.conf (mdns, sss, myhostname) are not asked. Answers are kept for their time to live; an old one is better than
// waiting, so it is given while a new one is asked for.
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { FileValue } from '../../sys/file-value.ts';
import type { Resolve } from '../wire/dial.ts';
import { type Answer, DnsQuery, NameError } from './dns-query.ts';
import { type Hosts, readHosts } from './hosts-file.ts';
import { type ResolvConf, readResolvConf } from './resolv-conf.ts';

export interface ResolverOptions {
  /** @default /etc/hosts */
  readonly hostsFile?: string;
  /** @default /etc/resolv.conf */
  readonly resolvConfFile?: string;
  /** Of the name servers. @default 53 */
  readonly port?: number;
  /** Names that are asked for at a time; each takes an open file. @default 256 */
  readonly mostAsked?: number;
  /** Names whose answers are kept. @default 16384 */
  readonly mostKept?: number;
  /** Milliseconds that never go back. @default performance.now */
  readonly clock?: () => number;
}

/** A change of a record is seen after this time, however long it might be kept. */
const longestFreshMs = 60_000;
/** How old an answer may be while nobody gives a new one. */
const longestStaleMs = 5 * 60_000;
/** So long a name is not asked for again that does not exist, or that nobody could tell. */
const missFreshMs = 2000;

interface Kept {
  readonly addresses: readonly string[];
  /** Instead of addresses. */
  readonly error?: NameError;
  readonly freshUntil: number;
  readonly usableUntil: number;
}

const silent = { info: () => {}, warn: () => {} };
const loopback: readonly string[] = ['127.0.0.1', '::1'];

export function createResolver(options: ResolverOptions = {}): Resolve {
  const resolver = new NameResolver(options);
  return (host) => resolver.resolve(host);
}

class NameResolver {
  readonly #clock: () => number;
  readonly #port: number;
  readonly #mostAsked: number;
  readonly #mostKept: number;
  readonly #hosts: () => Hosts;
  readonly #resolvConf: () => ResolvConf;
  #conf: ResolvConf | undefined;
  /** Oldest answers first. */
  readonly #kept = new Map<string, Kept>();
  /** Oldest questions first; one for each name, however many wait for it. */
  readonly #asked = new Map<string, { readonly query: DnsQuery; readonly addresses: Promise<readonly string[]> }>();

  constructor(options: ResolverOptions) {
    const { hostsFile = '/etc/hosts', resolvConfFile = '/etc/resolv.conf' } = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#port = options.port ?? 53;
    this.#mostAsked = options.mostAsked ?? 256;
    this.#mostKept = options.mostKept ?? 16_384;
    this.#hosts = this.#contentOf(hostsFile, readHosts);
    this.#resolvConf = this.#contentOf(resolvConfFile, (text) => readResolvConf(text, hostname()));
  }
  /** A file that was never there is an empty one. */
  #contentOf<T>(file: string, parse: (text: string) => T): () => T {
    const value = new FileValue(file, parse, { log: silent, now: this.#clock });
    const empty = parse('');
    return () => {
      try {
        return value.get();
      } catch {
        return empty;
      }
    };
  }

  async resolve(host: string): Promise<readonly string[]> {
    if (isIP(host) > 0) return [host];
    const name = host.toLowerCase();
    const plain = name.endsWith('.') ? name.slice(0, -1) : name;
    const own = this.#hosts().get(plain) ?? (isLocalhost(plain) ? loopback : undefined);
    if (own !== undefined) return own;
    if (plain === '') throw new NameError('ENOTFOUND', host, 'it is empty');
    return this.#byDns(name);
  }

  #byDns(name: string): readonly string[] | Promise<readonly string[]> {
    this.#followConf();
    const kept = this.#kept.get(name);
    const now = this.#clock();
    if (kept !== undefined && now < kept.freshUntil) return addressesOf(kept);
    const addresses = this.#asked.get(name)?.addresses ?? this.#ask(name);
    if (kept === undefined || kept.error !== undefined || now >= kept.usableUntil) return addresses;
    addresses.catch(() => {});
    return kept.addresses;
  }
  /** Other name servers or search domains may know other answers. */
  #followConf(): void {
    const conf = this.#resolvConf();
    if (conf === this.#conf) return;
    this.#conf = conf;
    this.#kept.clear();
  }

  #ask(name: string): Promise<readonly string[]> {
    this.#makeRoom();
    const query = new DnsQuery(name, this.#conf ?? this.#resolvConf(), this.#port);
    const addresses = query.answer.then(
      (answer) => this.#answered(name, query, answer),
      (error: NameError) => this.#missed(name, query, error),
    );
    this.#asked.set(name, { query, addresses });
    return addresses;
  }
  /** The oldest question gives way: what is answered at all is answered long before. */
  #makeRoom(): void {
    if (this.#asked.size < this.#mostAsked) return;
    const [oldest] = this.#asked;
    if (oldest === undefined) return;
    this.#asked.delete(oldest[0]);
    oldest[1].query.cancel();
  }
  #finished(name: string, query: DnsQuery): void {
    if (this.#asked.get(name)?.query === query) this.#asked.delete(name);
  }

  #answered(name: string, query: DnsQuery, { addresses, ttlSeconds }: Answer): readonly string[] {
    this.#finished(name, query);
    const now = this.#clock();
    const freshUntil = now + Math.min(ttlSeconds * 1000, longestFreshMs);
    this.#keep(name, { addresses, freshUntil, usableUntil: freshUntil + longestStaleMs });
    return addresses;
  }
  /** Where nobody could tell, what was known before goes on for a while; a name that is gone is gone. */
  #missed(name: string, query: DnsQuery, error: NameError): readonly string[] {
    this.#finished(name, query);
    const now = this.#clock();
    const freshUntil = now + missFreshMs;
    const known = this.#kept.get(name);
    const isUsable = known !== undefined && known.error === undefined && now < known.usableUntil;
    if (isUsable && error.code === 'EAI_AGAIN') {
      this.#keep(name, { ...known, freshUntil: Math.min(freshUntil, known.usableUntil) });
      return known.addresses;
    }
    this.#keep(name, { addresses: [], error, freshUntil, usableUntil: freshUntil });
    throw error;
  }
  #keep(name: string, kept: Kept): void {
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    if (this.#kept.size <= this.#mostKept) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}

function addressesOf({ addresses, error }: Kept): readonly string[] {
  if (error !== undefined) throw error;
  return addresses;
}

/** RFC 6761: never asked of a name server. */
const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');
