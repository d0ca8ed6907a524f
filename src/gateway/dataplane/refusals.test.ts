import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { clientHello, helloWithName } from '../../../test/support/gateway/client-hello.ts';
import { type Place, tcp, tls } from '../../../test/support/gateway/clients.ts';
import type { Conversation } from '../../../test/support/gateway/conversation.ts';
import { until } from '../../../test/support/gateway/until.ts';
import type { RefusalCode } from '../refusals.ts';
import type { DataplaneOptions } from './dataplane.ts';
import { cluster, createFixture, type DataplaneFixture, nameOf } from './testing/dataplane-fixture.ts';

/** Nobody listens there: whatever reaches a backend would be told apart as no-backend. */
const nobody = '127.0.0.1:1';

async function fixtureWithListener(
  t: TestContext,
  options?: DataplaneOptions,
): Promise<{ fixture: DataplaneFixture; listener: Place }> {
  const fixture = createFixture(t, options);
  fixture.apply({ blue: cluster('blue', [nobody]) });
  return { fixture, listener: await fixture.listener('sni') };
}

const refusedHere = (fixture: DataplaneFixture): Partial<Record<RefusalCode, number>> =>
  fixture.dataplane.counters().refusals.sni ?? {};

/** The alert as OpenSSL, inside Node, names it. */
async function alertFor(listener: Place, servername: string): Promise<string> {
  const failure = await tls(listener, { servername }).then(
    () => assert.fail('was connected'),
    (error: { code?: string }) => error,
  );
  return failure.code ?? '';
}

describe('a client that is refused', () => {
  it('is told by a TLS alert that its name is unknown', async (t) => {
    const { fixture, listener } = await fixtureWithListener(t);
    assert.equal(await alertFor(listener, 'nobody.example.test'), 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME');
    assert.deepEqual(refusedHere(fixture), { 'unknown-sni': 1 });
    assert.deepEqual(
      fixture.logged.map(({ refusal, name, client }) => ({ refusal, name, client })),
      [{ refusal: 'unknown-sni', name: 'nobody.example.test', client: '127.0.0.1' }],
    );
  });

  it('is told by a TLS alert that it sent no name', async (t) => {
    const { fixture, listener } = await fixtureWithListener(t);
    assert.equal(await alertFor(listener, ''), 'ERR_SSL_TLSV13_ALERT_MISSING_EXTENSION');
    assert.deepEqual(refusedHere(fixture), { 'no-sni': 1 });
  });

  it('is told by a TLS alert that no backend answers', async (t) => {
    const { fixture, listener } = await fixtureWithListener(t);
    assert.equal(await alertFor(listener, nameOf('blue')), 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR');
    assert.deepEqual(fixture.dataplane.counters().clusters.blue?.apiServer.refusals, { 'no-backend': 1 });
    assert.equal(fixture.dataplane.counters().clusters.blue?.apiServer.open, 0);
  });

  it('may not use an address as name', async (t) => {
    const { fixture, listener } = await fixtureWithListener(t);
    const client = await tcp(listener);
    client.send(helloWithName('192.0.2.7'));
    assert.deepEqual([...(await client.rest())], [0x15, 3, 3, 0, 2, 2, 112]);
    assert.deepEqual(refusedHere(fixture), { 'ip-as-sni': 1 });
    client.close();
  });

  it('gets a sentence as answer to plain HTTP', async (t) => {
    const { fixture, listener } = await fixtureWithListener(t);
    const status = await new Promise((resolve, reject) => {
      get({ ...listener, path: '/version' }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
    assert.equal(status, 400);
    assert.deepEqual(refusedHere(fixture), { 'plain-http': 1 });
  });

  it('gets nothing for garbage, whether it is sent at once or letter by letter', async (t) => {
    const { fixture, listener } = await fixtureWithListener(t);
    for (const garbage of ['\0\0\0', 'SSH-2.0-x\r\n', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n']) {
      const client = await tcp(listener);
      for (const letter of garbage) client.send(letter);
      assert.equal((await client.rest()).length, 0);
      client.close();
    }
    assert.deepEqual(refusedHere(fixture), { 'not-tls': 3 });
  });

  it('may not send a ClientHello of more than 16 KiB', async (t) => {
    const { fixture, listener } = await fixtureWithListener(t);
    const client = await tcp(listener);
    client.send(Buffer.from([0x16, 3, 1, 0x40, 0, 1, 0, 0x50, 0]));
    assert.deepEqual([...(await client.rest())], [0x15, 3, 3, 0, 2, 2, 49]);
    assert.deepEqual(refusedHere(fixture), { 'hello-too-large': 1 });
    client.close();
  });

  it('has only so much time for its first message', async (t) => {
    const { fixture, listener } = await fixtureWithListener(t, { helloTimeoutMs: 100 });
    const [silent, slow] = [await tcp(listener), await tcp(listener)];
    slow.send((await clientHello(nameOf('blue'))).subarray(0, 50));
    assert.equal((await silent.rest()).length + (await slow.rest()).length, 0);
    await until(() => refusedHere(fixture)['hello-timeout'] === 2);
    assert.equal(fixture.dataplane.counters().halfOpen, 0);
    for (const client of [silent, slow]) client.close();
  });

  it('is shown out when it does not leave after the answer', async (t) => {
    const { fixture, listener } = await fixtureWithListener(t);
    const client = await tcp(listener);
    client.send(helloWithName('nobody.example.test'));
    await client.exactly(7);
    // It goes on sending, and never closes its side.
    const flood = setInterval(() => client.send(Buffer.alloc(16_384)), 5);
    t.after(() => clearInterval(flood));
    await new Promise((resolve) => client.duplex.once('close', resolve));
    assert.equal(refusedHere(fixture)['unknown-sni'], 1);
  });
});

describe('a flood of clients that say nothing', () => {
  it('costs the oldest ones their place, and service goes on', async (t) => {
    const { fixture, listener } = await fixtureWithListener(t, { maxHalfOpen: 20 });
    const flood: Conversation[] = [];
    for (let i = 0; i < 50; i++) flood.push(await tcp(listener));
    t.after(() => flood.forEach((client) => void client.close()));
    await until(() => refusedHere(fixture)['too-many-half-open'] === 30);
    assert.equal(fixture.dataplane.counters().halfOpen, 20);
    assert.equal(await alertFor(listener, 'nobody.example.test'), 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME');
    assert.equal(
      fixture.logged.filter(({ refusal }) => refusal === 'too-many-half-open').length,
      1,
      'one line, not thirty',
    );
  });
});
