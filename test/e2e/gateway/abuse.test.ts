// Hostile clients: refused with a reason, memory bounded, no backend touched, and others served meanwhile.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { authorityOf, nameOf, tunnelName } from '../../conformance/gateway/scene.ts';
import { clientHello, helloWithName } from '../../support/gateway/client-hello.ts';
import { type Place, tcp, tunnelTo } from '../../support/gateway/clients.ts';
import type { Conversation } from '../../support/gateway/conversation.ts';
import { nextReset, preface, protocolError, rawHttp2, request, resetStream } from '../../support/gateway/raw-http2.ts';
import { bearer, createTokenKey, tokenFor } from '../../support/gateway/tokens.ts';
import { until } from '../../support/gateway/until.ts';
import { needProgram } from '../../support/programs.ts';
import { type AbusedGateway, startAbused } from './abused-gateway.ts';

const soak = process.env.CAUSEWAY_SOAK === '1';
const each = soak ? 2_000 : 200;
const halfOpen = soak ? 8_000 : 3_000;
const resets = 100_000;
const perSession = 5_000;
const manySessions = 100;
const withinBudget = 1_000;
const resetGrowthMiB = 60;
/** More than a worker may grow by whatever unauthenticated clients do. */
const growthMiB = 200;

const counted = async ({ gateway }: AbusedGateway, reason: string): Promise<number> =>
  (await gateway.refusals()).get(reason) ?? 0;

/** Whichever limit a flood of requests that are refused and taken back meets first. */
const countedFloods = async (abused: AbusedGateway): Promise<number> =>
  (await counted(abused, 'too-many-resets')) + (await counted(abused, 'too-many-refusals'));

/** So many at a time that it hurts, and not so many that the test itself is the bottleneck. */
async function many(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) await work(number).catch(onlyAssertions);
  };
  await Promise.all(Array.from({ length: 50 }, worker));
}

/** Hostile clients expect to be closed. */
function onlyAssertions(error: unknown): void {
  if (error instanceof assert.AssertionError) throw error;
}

async function says(place: Place, bytes: Buffer): Promise<void> {
  const conversation = await tcp(place);
  conversation.send(bytes);
  await conversation.ended;
  conversation.close();
}

test('hostile clients are refused with a reason, and others are served meanwhile', async (t) => {
  if (needProgram(t, 'openssl') === undefined) return;
  const abused = await startAbused(t);
  await hostileHellos(t, abused);
  await halfOpenFlood(t, abused);
  await hostileConnects(t, abused);
  await connectWithoutAuthority(t, abused);
  await resetFlood(t, abused);
  await resetsOfManySessions(t, abused);
  await largeHeaders(t, abused);
  await nobodyNoticed(t, abused);
});

async function hostileHellos(t: TestContext, abused: AbusedGateway): Promise<void> {
  const sni = abused.gateway.at('sni');
  const hellos: Record<string, Buffer> = {
    'no-sni': await clientHello(),
    'unknown-sni': await clientHello(nameOf('green')),
    'ip-as-sni': helloWithName('192.0.2.1'),
    'plain-http': Buffer.from('GET /api HTTP/1.1\r\nHost: red\r\n\r\n'),
    'not-tls': Buffer.from('\x00\x01garbage\xff'.repeat(50), 'latin1'),
  };
  for (const [reason, bytes] of Object.entries(hellos)) {
    await t.test(`${each} clients: ${reason}`, async () => {
      const earlier = await counted(abused, reason);
      await many(each, () => says(sni, bytes));
      await until(async () => (await counted(abused, reason)) - earlier >= each);
    });
  }
}

async function halfOpenFlood(t: TestContext, abused: AbusedGateway): Promise<void> {
  const sni = abused.gateway.at('sni');
  await t.test(`${halfOpen} half-open connections, some of which send a byte per second`, async (t) => {
    const earlier = (await counted(abused, 'hello-timeout')) + (await counted(abused, 'too-many-half-open'));
    const hello = await clientHello(nameOf('red'));
    const conversations: Conversation[] = [];
    t.after(() => {
      for (const conversation of conversations) conversation.close();
    });
    await many(halfOpen, async () => void conversations.push(await tcp(sni)));
    for (let second = 0; second < 3; second++) {
      for (const conversation of conversations.slice(0, 500)) conversation.send(hello.subarray(second, second + 1));
      await sleep(1_000);
    }
    await until(async () => {
      const now = (await counted(abused, 'hello-timeout')) + (await counted(abused, 'too-many-half-open'));
      return now - earlier >= conversations.length;
    }, 60_000);
  });
}

async function hostileConnects(t: TestContext, abused: AbusedGateway): Promise<void> {
  const { key } = abused;
  const tunnel = abused.gateway.at('tunnel');
  const connects: Record<string, { authority: string; headers: () => Record<string, string> }> = {
    'unknown-authority': { authority: '169.254.169.254:80', headers: () => bearer(tokenFor('red', key)) },
    'no-credentials': { authority: authorityOf('red'), headers: () => ({}) },
    'wrong-cluster': { authority: authorityOf('red'), headers: () => bearer(tokenFor('blue', key)) },
    'expired-token': { authority: authorityOf('red'), headers: () => bearer(tokenFor('red', key, -1)) },
    'foreign-token': { authority: authorityOf('red'), headers: () => bearer(tokenFor('red', createTokenKey())) },
  };
  for (const [reason, { authority, headers }] of Object.entries(connects)) {
    await t.test(`${each} times CONNECT: ${reason}`, async () => {
      const earlier = await counted(abused, reason);
      // Each in a session of its own: one that is refused a few times is closed.
      await many(each, async () => {
        const session = await tunnelTo(tunnel, { servername: tunnelName });
        const { status, conversation } = await session.connect(authority, headers());
        conversation.close();
        session.close();
        assert.notEqual(status, 200);
      });
      await until(async () => (await counted(abused, reason)) - earlier >= each);
    });
  }
}

async function connectWithoutAuthority(t: TestContext, abused: AbusedGateway): Promise<void> {
  const tunnel = abused.gateway.at('tunnel');
  await t.test('CONNECT without authority', async () => {
    const conversation = await rawHttp2(tunnel, tunnelName);
    conversation.send(Buffer.concat([preface, request(1, { ':method': 'CONNECT' })]));
    assert.deepEqual(await nextReset(conversation), { stream: 1, code: protocolError });
    conversation.close();
  });
}

async function resetFlood(t: TestContext, abused: AbusedGateway): Promise<void> {
  const tunnel = abused.gateway.at('tunnel');
  await t.test(`${resets} streams opened and reset`, async () => {
    let left = resets;
    const headers = { ':method': 'CONNECT', ':authority': authorityOf('red') };
    const batch = Buffer.concat(Array.from({ length: perSession }, (_, at) => openAndReset(1 + 2 * at, headers)));
    await many(resets / perSession, async () => {
      const conversation = await rawHttp2(tunnel, tunnelName);
      conversation.send(Buffer.concat([preface, batch]));
      left -= perSession;
      await Promise.race([conversation.ended, sleep(2_000)]);
      conversation.close();
    });
    assert.equal(left, 0);
    await until(async () => (await countedFloods(abused)) > 0);
  });
}

async function resetsOfManySessions(t: TestContext, abused: AbusedGateway): Promise<void> {
  const { memory } = abused;
  const tunnel = abused.gateway.at('tunnel');
  await t.test(`${manySessions} sessions reset ${withinBudget} streams each, which one alone might do`, async () => {
    const earlier = await countedFloods(abused);
    const headers = { ':method': 'CONNECT', ':authority': authorityOf('red') };
    const batch = Buffer.concat(Array.from({ length: withinBudget }, (_, at) => openAndReset(1 + 2 * at, headers)));
    const before = memory.now();
    const conversations: Conversation[] = [];
    t.after(() => {
      for (const conversation of conversations) conversation.close();
    });
    await many(manySessions, async () => void conversations.push(await rawHttp2(tunnel, tunnelName)));
    for (const conversation of conversations) conversation.send(Buffer.concat([preface, batch]));
    await until(async () => (await countedFloods(abused)) - earlier >= conversations.length);
    const grown = memory.now() - before;
    t.diagnostic(`a worker grew by ${grown.toFixed(0)} MiB`);
    assert.ok(grown < resetGrowthMiB, `${grown} MiB`);
  });
}

async function largeHeaders(t: TestContext, abused: AbusedGateway): Promise<void> {
  const tunnel = abused.gateway.at('tunnel');
  for (const kilobytes of [24, 1024]) {
    await t.test(`headers of ${kilobytes} KiB`, async () => {
      const earlier = await counted(abused, 'headers-too-large');
      const options = { servername: tunnelName, maxSendHeaderBlockLength: 4 << 20 };
      const headers = Object.fromEntries(
        Array.from({ length: kilobytes / 8 }, (_, at) => [`x-${at}`, 'x'.repeat(8_192)]),
      );
      await many(20, async () => {
        const session = await tunnelTo(tunnel, options);
        const outcome = await session.connect(authorityOf('red'), headers).then(
          ({ status }) => status,
          () => 'broken',
        );
        session.close();
        assert.notEqual(outcome, 200);
      });
      // Far too large, they break the session before anybody looks at them.
      if (kilobytes < 64) await until(async () => (await counted(abused, 'headers-too-large')) > earlier);
    });
  }
}

async function nobodyNoticed(t: TestContext, abused: AbusedGateway): Promise<void> {
  const { good, target, memory } = abused;
  await t.test('and all the while others were served, no backend was touched, and memory stayed bounded', async () => {
    assert.equal(target.connections(), 0);
    assert.equal(good.talkers.alive().length, 5);
    assert.deepEqual(good.coming.failuresSince(0), []);
    assert.ok(good.coming.attempts().length > 20);
    t.diagnostic(`a worker grew from ${memory.before.toFixed(0)} to at most ${memory.peak().toFixed(0)} MiB`);
    assert.ok(memory.peak() - memory.before < growthMiB, `${memory.before} → ${memory.peak()} MiB`);
  });
}

const openAndReset = (stream: number, headers: Record<string, string>): Buffer =>
  Buffer.concat([request(stream, headers), resetStream(stream)]);
