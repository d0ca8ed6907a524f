import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Miss, namesToAsk, type ResolvConf, readResolvConf } from './resolv-conf.ts';

type Outcome = Miss | 'found';

const conf = (text: string, hostName = 'machine'): ResolvConf => readResolvConf(text, hostName);

/** Which names are asked for, when each has this outcome. */
function asked(host: string, by: ResolvConf, outcomeOf: (name: string) => Outcome): string[] {
  const all: string[] = [];
  const names = namesToAsk(host, by);
  for (let next = names.next(); !next.done; ) {
    all.push(next.value);
    const outcome = outcomeOf(next.value);
    if (outcome === 'found') break;
    next = names.next(outcome);
  }
  return all;
}

/** The rules as glibc's res_search has them, with its flags RES_DEFNAMES and RES_DNSRCH on, as they are by default. */
function askedByGlibc(host: string, { search, ndots }: ResolvConf, outcomeOf: (name: string) => Outcome): string[] {
  const all: string[] = [];
  const query = (name: string): Outcome => {
    all.push(name);
    return outcomeOf(name);
  };
  const dots = [...host].filter((letter) => letter === '.').length;
  if (host.endsWith('.')) {
    query(host.slice(0, -1));
    return all;
  }
  if (dots >= ndots && query(host) === 'found') return all;
  for (const domain of search) {
    const outcome = query(domain === '' ? host : `${host}.${domain}`);
    if (outcome === 'found') return all;
    if (outcome === 'unanswered') break;
  }
  if (!all.includes(host)) query(host);
  return all;
}

const label = fc.constantFrom('a', 'b', 'shop', 'svc');
const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
const host = fc.tuple(name, fc.constantFrom('', '', '', '.')).map((parts) => parts.join(''));
const outcome = fc.constantFrom<Outcome>('none', 'none', 'failed', 'unanswered', 'found');

describe('the names that are asked for', () => {
  it('are those of glibc, in its order, whatever becomes of each', () => {
    fc.assert(
      fc.property(
        host,
        fc.array(fc.oneof(name, fc.constant('.')), { maxLength: 6 }),
        fc.nat(16),
        fc.array(outcome, { minLength: 1, maxLength: 4 }),
        (asking, search, ndots, outcomes) => {
          const by = conf(`search ${search.join(' ')}\noptions ndots:${ndots}\n`);
          const outcomeOf = (one: string): Outcome => outcomes[one.length % outcomes.length] ?? 'none';
          assert.deepEqual(asked(asking, by, outcomeOf), askedByGlibc(asking, by, outcomeOf));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('of a pod are those of its namespace before the name itself', () => {
    const pod = conf('search shop.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n');
    const none = (): Outcome => 'none';
    assert.deepEqual(asked('etcd.shop', pod, none), [
      'etcd.shop.shop.svc.cluster.local',
      'etcd.shop.svc.cluster.local',
      'etcd.shop.cluster.local',
      'etcd.shop',
    ]);
    assert.deepEqual(asked('etcd.shop.', pod, none), ['etcd.shop']);
  });
});

describe('resolv.conf', () => {
  const plain = { search: [], ndots: 1, timeoutMs: 5000, attempts: 2, noAaaa: false };

  it('that is empty means a server on this machine, and the domain of its name', () => {
    assert.deepEqual(conf(''), { ...plain, servers: ['127.0.0.1'] });
    assert.deepEqual(conf('', 'machine.west.test').search, ['west.test']);
  });

  it('has at most three servers; what is no address is passed over', () => {
    const text = 'nameserver ns.test\n;nameserver 192.0.2.9\nnameserver 192.0.2.1\n# x\nnameserver\tfe80::1%eth0\n';
    assert.deepEqual(conf(text).servers, ['192.0.2.1', 'fe80::1%eth0']);
    const many = [1, 2, 3, 4].map((last) => `nameserver 192.0.2.${last}\n`).join('');
    assert.deepEqual(conf(many).servers, ['192.0.2.1', '192.0.2.2', '192.0.2.3']);
  });

  it('searches by its last line of search or domain', () => {
    assert.deepEqual(conf('search a.test b.test\ndomain c.test\n').search, ['c.test']);
    assert.deepEqual(conf('domain c.test\nsearch a.test. b.test\n').search, ['a.test', 'b.test']);
  });

  it('takes options from all lines, and bounds them as glibc does', () => {
    const text = 'options ndots:5 timeout:2\noptions attempts:3 no-aaaa rotate timeout:x\n';
    assert.deepEqual(conf(text), {
      servers: ['127.0.0.1'],
      search: [],
      ndots: 5,
      timeoutMs: 5000,
      attempts: 3,
      noAaaa: true,
    });
    assert.deepEqual(conf('options ndots:99 timeout:99 attempts:99\n'), {
      ...plain,
      servers: ['127.0.0.1'],
      ndots: 15,
      timeoutMs: 30_000,
      attempts: 5,
    });
  });
});
