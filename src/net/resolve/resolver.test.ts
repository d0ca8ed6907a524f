import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { testedResolver, type Zone } from '../../../test/support/name-server.ts';

const limit = { timeout: 60_000 };
const one: Zone = ['10.0.0.1'];
const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (failed: NodeJS.ErrnoException) => failed,
  );
  return error?.code ?? 'found';
};
const slow = (name: string): Zone => (name.includes('slow') ? 'silent' : one);
/** Silent only for as long as a test wants: each question is asked once, for a second. */
const impatient = 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n';

describe('a name that nobody answers for', limit, () => {
  it('does not hold up another name, though two hundred of them are waited for', async (t) => {
    const { resolve, server } = await testedResolver(t, slow);
    let settled = 0;
    const finished = Array.from({ length: 200 }, (_, i) => resolve(`slow-${i}.test`).finally(() => (settled += 1)));
    for (const lookup of finished) lookup.catch(() => {});
    while (server.asked.length < 400) await soon();
    assert.deepEqual(await resolve('fast.test'), one);
    assert.equal(settled, 0);
    await server.release();
    await Promise.allSettled(finished);
    assert.equal(settled, 200);
  });

  it('is asked for once, however many wait for it', async (t) => {
    const { resolve, server } = await testedResolver(t, slow);
    const codes = Array.from({ length: 50 }, () => codeOf(resolve('slow.test')));
    while (server.asked.length < 2) await soon();
    await server.release();
    assert.deepEqual(new Set(await Promise.all(codes)), new Set(['ENOTFOUND']));
    assert.deepEqual(server.asked.sort(), ['A slow.test', 'AAAA slow.test']);
  });

  it('gives way when too many names are asked for, oldest first', async (t) => {
    const { resolve, server } = await testedResolver(t, slow, { mostAsked: 2 });
    const first = codeOf(resolve('slow-1.test'));
    const second = codeOf(resolve('slow-2.test'));
    while (server.asked.length < 4) await soon();
    assert.deepEqual(await resolve('fast.test'), one);
    assert.equal(await first, 'EAI_AGAIN');
    assert.equal(await Promise.race([second, 'waits']), 'waits');
    await server.release();
    assert.equal(await second, 'ENOTFOUND');
  });

  it('is found by an answer that takes long, however quick other names were before', async (t) => {
    const { resolve, server } = await testedResolver(t, () => one);
    for (let i = 0; i < 20; i++) await resolve(`fast-${i}.test`);
    server.delayMs = 1500;
    assert.deepEqual(await resolve('slow.test'), one);
    assert.equal(server.asked.filter((question) => question === 'A slow.test').length, 1);
  });
});

describe('an answer', limit, () => {
  it('is kept for its time to live, then given once more while a new one is asked for', async (t) => {
    let zone: Zone = one;
    const { resolve, server, pass } = await testedResolver(t, () => zone);
    server.ttl = 10;
    assert.deepEqual(await resolve('a.test'), one);
    zone = ['10.0.0.2'];
    pass(9999);
    assert.deepEqual(await resolve('A.test'), one);
    assert.equal(server.asked.length, 2);
    pass(1);
    assert.deepEqual(await resolve('a.test'), one);
    while ((await resolve('a.test'))[0] !== '10.0.0.2') await soon();
    assert.equal(server.asked.length, 4);
  });

  it('that is old goes on for five minutes while nobody answers, and not longer', async (t) => {
    let zone: Zone = one;
    const { resolve, server, pass } = await testedResolver(t, () => zone);
    server.ttl = 10;
    await resolve('a.test');
    zone = 'SERVFAIL';
    pass(10_000 + 5 * 60_000 - 1);
    assert.deepEqual(await resolve('a.test'), one);
    pass(1);
    assert.equal(await codeOf(resolve('a.test')), 'EAI_AGAIN');
    zone = ['10.0.0.3'];
    pass(2000);
    assert.deepEqual(await resolve('a.test'), ['10.0.0.3']);
  });

  it('that is old is not given any more when the name is gone', async (t) => {
    let zone: Zone = one;
    const { resolve, server, pass } = await testedResolver(t, () => zone);
    server.ttl = 0;
    await resolve('a.test');
    zone = 'NXDOMAIN';
    assert.deepEqual(await resolve('a.test'), one);
    while ((await codeOf(resolve('a.test'))) === 'found') await soon();
    const { length } = server.asked;
    assert.equal(await codeOf(resolve('a.test')), 'ENOTFOUND');
    assert.equal(server.asked.length, length, 'a miss is kept, too');
    pass(2000);
    assert.equal(await codeOf(resolve('a.test')), 'ENOTFOUND');
    assert.ok(server.asked.length > length);
  });

  it('has the addresses of both families', async (t) => {
    const { resolve } = await testedResolver(t, () => ['10.0.0.1', '2001:db8::1']);
    assert.deepEqual([...(await resolve('a.test'))].sort(), ['10.0.0.1', '2001:db8::1']);
  });

  it('goes when there is no room for more', async (t) => {
    const { resolve, server } = await testedResolver(t, () => one, { mostKept: 1 });
    for (const name of ['a.test', 'b.test', 'b.test', 'a.test']) await resolve(name);
    assert.deepEqual(
      server.asked.filter((question) => question.startsWith('A ')),
      ['A a.test', 'A b.test', 'A a.test'],
    );
  });
});

describe('files', limit, () => {
  it('/etc/hosts comes first, and is read again when it changes', async (t) => {
    const hosts = '# names\n10.1.0.1 db db.test # the first\n10.1.0.2\tDB.test\nfd00::1 db.test\nx y\n';
    const { resolve, server, write, pass } = await testedResolver(t, () => one, { hosts });
    assert.deepEqual(await resolve('Db.test'), ['10.1.0.1', '10.1.0.2', 'fd00::1']);
    assert.deepEqual(await resolve('db.test.'), ['10.1.0.1', '10.1.0.2', 'fd00::1']);
    assert.deepEqual(await resolve('db'), ['10.1.0.1']);
    assert.deepEqual(server.asked, []);
    write('hosts', '10.1.0.9 db.test\n');
    pass(1000);
    assert.deepEqual(await resolve('db.test'), ['10.1.0.9']);
    assert.deepEqual(await resolve('db'), one);
  });

  it('/etc/resolv.conf is read again when it changes, and what was known by the old one is forgotten', async (t) => {
    const zone = (name: string): Zone =>
      name === 'db.west.test' ? ['10.0.0.7'] : name === 'db.east.test' ? one : 'NXDOMAIN';
    const { resolve, write, pass } = await testedResolver(t, zone, {
      conf: 'nameserver 127.0.0.1\nsearch east.test\n',
    });
    assert.deepEqual(await resolve('db'), one);
    write('resolv.conf', 'nameserver 127.0.0.1\nsearch north.test west.test\n');
    pass(1000);
    assert.deepEqual(await resolve('db'), ['10.0.0.7']);
  });

  it('that are missing are empty', async (t) => {
    const { resolve } = await testedResolver(t, () => one, { hostsFile: '/nowhere/hosts' });
    assert.deepEqual(await resolve('a.test'), one);
  });
});

describe('what needs no name server', limit, () => {
  it('is an address, localhost and names below it', async (t) => {
    const { resolve, server } = await testedResolver(t, () => one);
    assert.deepEqual(await resolve('192.0.2.1'), ['192.0.2.1']);
    assert.deepEqual(await resolve('2001:db8::1'), ['2001:db8::1']);
    assert.deepEqual(await resolve('localhost'), ['127.0.0.1', '::1']);
    assert.deepEqual(await resolve('shop.localhost'), ['127.0.0.1', '::1']);
    assert.equal(await codeOf(resolve('')), 'ENOTFOUND');
    assert.deepEqual(server.asked, []);
  });
});

describe('a name without an answer is told as getaddrinfo tells it', limit, () => {
  const cases: readonly (readonly [Zone, string])[] = [
    ['NXDOMAIN', 'ENOTFOUND'],
    [[], 'ENOTFOUND'],
    ['SERVFAIL', 'EAI_AGAIN'],
    ['silent', 'EAI_AGAIN'],
  ];
  for (const [zone, code] of cases)
    it(`${JSON.stringify(zone)}: ${code}`, async (t) => {
      const { resolve } = await testedResolver(t, () => zone, { conf: impatient });
      assert.equal(await codeOf(resolve('a.test')), code);
    });
});
