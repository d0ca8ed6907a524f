// Asks name servers for the addresses of a name, without the thread pool that files, getaddrinfo and cryptography share:
// a name whose server is silent holds up nobody else.
import { type RecordWithTtl, Resolver } from 'node:dns';
import { networkInterfaces } from 'node:os';
import { hostPort } from '../../core/host-port.ts';
import { type Miss, namesToAsk, type ResolvConf } from './resolv-conf.ts';

export interface Answer {
  readonly addresses: readonly string[];
  readonly ttlSeconds: number;
}

/** As getaddrinfo gives it: ENOTFOUND where there is no such name, EAI_AGAIN where nobody could tell. */
export class NameError extends Error {
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN';
  readonly hostname: string;
  constructor(code: NameError['code'], hostname: string, why: string) {
    super(`${code} ${hostname} (${why})`);
    this.code = code;
    this.hostname = hostname;
  }
}

const missOf: Readonly<Record<string, Miss>> = {
  ENOTFOUND: 'none',
  ENODATA: 'none',
  EBADNAME: 'none',
  ESERVFAIL: 'failed',
};

export class DnsQuery {
  readonly answer: Promise<Answer>;
  readonly #host: string;
  readonly #conf: ResolvConf;
  readonly #resolver: Resolver;
  #cancelled = false;

  /**
   * Each query has a resolver of its own: one that is shared learns from quick answers to wait less, and then gives up names
   * whose servers need seconds. It has a port of its own, too.
   */
  constructor(host: string, conf: ResolvConf, port: number) {
    const { timeoutMs, attempts, servers } = conf;
    this.#host = host;
    this.#conf = conf;
    this.#resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries: attempts });
    this.#resolver.setServers(servers.map((server) => hostPort(server, port)));
    this.answer = this.#ask();
  }

  cancel(): void {
    this.#cancelled = true;
    this.#resolver.cancel();
  }

  async #ask(): Promise<Answer> {
    const names = namesToAsk(this.#host, this.#conf);
    let [temporary, why] = [false, 'ENOTFOUND'];
    for (let next = names.next(); !next.done; ) {
      const found = await this.#askFor(next.value);
      if ('addresses' in found) return found;
      if (this.#cancelled) throw new NameError('EAI_AGAIN', this.#host, 'other names were more urgent');
      if (found.miss !== 'none') [temporary, why] = [true, found.why];
      next = names.next(found.miss);
    }
    throw new NameError(temporary ? 'EAI_AGAIN' : 'ENOTFOUND', this.#host, why);
  }

  async #askFor(name: string): Promise<Answer | { miss: Miss; why: string }> {
    const [v4, v6] = await Promise.all([this.#records(name, 'resolve4'), this.#v6(name)]);
    const records = hasIpv6() ? [...listOf(v6), ...listOf(v4)] : [...listOf(v4), ...listOf(v6)];
    if (records.length > 0)
      return {
        addresses: records.map(({ address }) => address),
        ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
      };
    const codes = [v4, v6].filter((one) => typeof one === 'string');
    const misses = codes.map((why) => ({ miss: missOf[why] ?? ('unanswered' as const), why }));
    return (
      misses.find(({ miss }) => miss === 'unanswered') ??
      misses.find(({ miss }) => miss === 'failed') ?? { miss: 'none', why: 'ENOTFOUND' }
    );
  }
  #v6(name: string): Promise<RecordWithTtl[] | string> {
    return this.#conf.noAaaa ? Promise.resolve([]) : this.#records(name, 'resolve6');
  }
  /** Records, or the code of the failure. */
  #records(name: string, kind: 'resolve4' | 'resolve6'): Promise<RecordWithTtl[] | string> {
    return new Promise((resolve) => {
      this.#resolver[kind](name, { ttl: true }, (error, records) => resolve(error?.code ?? records));
    });
  }
}

const listOf = (found: RecordWithTtl[] | string): RecordWithTtl[] => (typeof found === 'string' ? [] : found);

/** An address that reaches further than the link. Where there is none, IPv6 addresses of others are tried last. */
const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.family === 'IPv6' && !one.internal && !one.address.startsWith('fe80:'));
