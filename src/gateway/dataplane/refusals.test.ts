import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { clientHello, helloWithName } from '../../../test/support/gateway/client-hello.ts';
import { type Place, tcp, tls } from '../../../test/support/gateway/clients.ts';
import type { Conversation } from '../../../test/support/gateway/conversation.ts';
import { until } from '../../../test/support/gateway/until.ts';
import type { RefusalCode } from '../refusals.ts';
import type { GatewayOptions } from './dataplane.ts';
import { cluster, createStage, nameOf, type Stage } from './testing/dataplane-fixture.ts';

/** Nobody listens there: whatever reaches a backend would be told apart as no-backend. */
const nobody = '127.0.0.1:1';

async function stageWithDoor(t: TestContext, options?: GatewayOptions): Promise<{ stage: Stage; door: Place }> {
  const stage = createStage(t, options);
  stage.apply({ blue: cluster('blue', [nobody]) });
  return { stage, door: await stage.door('sni') };
}

const refusedHere = (stage: Stage): Partial<Record<RefusalCode, number>> => stage.gateway.counters().refusals.sni ?? {};

/** The alert as OpenSSL, inside Node, names it. */
async function alertFor(door: Place, servername: string): Promise<string> {
  const failure = await tls(door, { servername }).then(
    () => assert.fail('was connected'),
    (error: { code?: string }) => error,
  );
  return failure.code ?? '';
}

describe('a client that is refused', () => {
  it('is told by a TLS alert that its name is unknown', async (t) => {
    const { stage, door } = await stageWithDoor(t);
    assert.equal(await alertFor(door, 'nobody.example.test'), 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME');
    assert.deepEqual(refusedHere(stage), { 'unknown-sni': 1 });
    assert.deepEqual(
      stage.logged.map(({ refusal, name, client }) => ({ refusal, name, client })),
      [{ refusal: 'unknown-sni', name: 'nobody.example.test', client: '127.0.0.1' }],
    );
  });

  it('is told by a TLS alert that it sent no name', async (t) => {
    const { stage, door } = await stageWithDoor(t);
    assert.equal(await alertFor(door, ''), 'ERR_SSL_TLSV13_ALERT_MISSING_EXTENSION');
    assert.deepEqual(refusedHere(stage), { 'no-sni': 1 });
  });

  it('is told by a TLS alert that no backend answers', async (t) => {
    const { stage, door } = await stageWithDoor(t);
    assert.equal(await alertFor(door, nameOf('blue')), 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR');
    assert.deepEqual(stage.gateway.counters().clusters.blue?.apiServer.refusals, { 'no-backend': 1 });
    assert.equal(stage.gateway.counters().clusters.blue?.apiServer.open, 0);
  });

  it('may not use an address as name', async (t) => {
    const { stage, door } = await stageWithDoor(t);
    const client = await tcp(door);
    client.send(helloWithName('192.0.2.7'));
    assert.deepEqual([...(await client.rest())], [0x15, 3, 3, 0, 2, 2, 112]);
    assert.deepEqual(refusedHere(stage), { 'ip-as-sni': 1 });
    client.close();
  });

  it('gets a sentence as answer to plain HTTP', async (t) => {
    const { stage, door } = await stageWithDoor(t);
    const status = await new Promise((resolve, reject) => {
      get({ ...door, path: '/version' }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
    assert.equal(status, 400);
    assert.deepEqual(refusedHere(stage), { 'plain-http': 1 });
  });

  it('gets nothing for garbage, whether it is sent at once or letter by letter', async (t) => {
    const { stage, door } = await stageWithDoor(t);
    for (const garbage of ['\0\0\0', 'SSH-2.0-x\r\n', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n']) {
      const client = await tcp(door);
      for (const letter of garbage) client.send(letter);
      assert.equal((await client.rest()).length, 0);
      client.close();
    }
    assert.deepEqual(refusedHere(stage), { 'not-tls': 3 });
  });

  it('may not send a ClientHello of more than 16 KiB', async (t) => {
    const { stage, door } = await stageWithDoor(t);
    const client = await tcp(door);
    client.send(Buffer.from([0x16, 3, 1, 0x40, 0, 1, 0, 0x50, 0]));
    assert.deepEqual([...(await client.rest())], [0x15, 3, 3, 0, 2, 2, 49]);
    assert.deepEqual(refusedHere(stage), { 'hello-too-large': 1 });
    client.close();
  });

  it('has only so much time for its first message', async (t) => {
    const { stage, door } = await stageWithDoor(t, { helloTimeoutMs: 100 });
    const [silent, slow] = [await tcp(door), await tcp(door)];
    slow.send((await clientHello(nameOf('blue'))).subarray(0, 50));
    assert.equal((await silent.rest()).length + (await slow.rest()).length, 0);
    await until(() => refusedHere(stage)['hello-timeout'] === 2);
    assert.equal(stage.gateway.counters().halfOpen, 0);
    for (const client of [silent, slow]) client.close();
  });

  it('is shown out when it does not leave after the answer', async (t) => {
    const { stage, door } = await stageWithDoor(t);
    const client = await tcp(door);
    client.send(helloWithName('nobody.example.test'));
    await client.exactly(7);
    // It goes on sending, and never closes its side.
    const flood = setInterval(() => client.send(Buffer.alloc(16_384)), 5);
    t.after(() => clearInterval(flood));
    await new Promise((resolve) => client.duplex.once('close', resolve));
    assert.equal(refusedHere(stage)['unknown-sni'], 1);
  });
});

describe('a flood of clients that say nothing', () => {
  it('costs the oldest ones their place, and service goes on', async (t) => {
    const { stage, door } = await stageWithDoor(t, { mostHalfOpen: 20 });
    const flood: Conversation[] = [];
    for (let i = 0; i < 50; i++) flood.push(await tcp(door));
    t.after(() => flood.forEach((client) => void client.close()));
    await until(() => refusedHere(stage)['too-many-half-open'] === 30);
    assert.equal(stage.gateway.counters().halfOpen, 20);
    assert.equal(await alertFor(door, 'nobody.example.test'), 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME');
    assert.equal(
      stage.logged.filter(({ refusal }) => refusal === 'too-many-half-open').length,
      1,
      'one line, not thirty',
    );
  });
});
