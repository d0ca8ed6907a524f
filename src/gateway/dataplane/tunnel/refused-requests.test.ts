// Peers that ask again and again for what they do not get.
import assert from 'node:assert/strict';
import type { ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { frameTypes, headerBytes, openPayload, trunkPreface, writeHeader } from '../../../net/tunnel/trunk/index.ts';
import { selfSigned } from '../../../net/wire/testing/certificate.ts';
import { opensPerSecond, RequestLimiter, refusalsPerSecond, unauthenticatedRefusals } from './request-limiter.ts';
import { tlsDialer } from './testing/dialers.ts';
import { connectStream, endOf, h2Answer, h2Peer, soon, trunkPeer } from './testing/peers.ts';
import { authorityOf, type TunnelFixture, tunnelFixture } from './testing/tunnel-fixture.ts';

const limit = { timeout: 40_000 };
const certificate = selfSigned('tunnel.example');
const ca = certificate.cert;
const inVain = 1000;
const token = { authentication: 'token' } as const;

function opens(count: number): Buffer {
  const payload = openPayload({ authority: authorityOf('one') });
  const frames = Array.from({ length: count }, (_, index) => {
    const frame = Buffer.alloc(headerBytes);
    writeHeader(frame, 0, frameTypes.open, payload.length, index + 1);
    return Buffer.concat([frame, payload]);
  });
  return Buffer.concat([trunkPreface, ...frames]);
}

const floods: Readonly<
  Record<string, (t: TestContext, fixture: TunnelFixture) => Promise<Socket | ClientHttp2Session>>
> = {
  'a trunk': async (t, { port }) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    t.after(() => socket.destroy());
    socket.resume().write(opens(inVain));
    return socket;
  },
  'an HTTP/2 session': async (t, { port }) => {
    const session = await h2Peer(t, port);
    for (let count = 0; count < 90; count += 1) connectStream(session, authorityOf('one'));
    return session;
  },
};

for (const [name, flood] of Object.entries(floods))
  test(`closes ${name} that is refused a few times and has shown no credentials`, limit, async (t) => {
    const fixture = await tunnelFixture(t, { certificate, tunnel: token });
    const peer = await flood(t, fixture);
    if (!peer.destroyed) await new Promise<void>((resolve) => void peer.once('close', () => resolve()));
    const [...codes] = fixture.refused;
    assert.deepEqual(codes, [...Array(unauthenticatedRefusals).fill('not-tls'), 'too-many-refusals']);
    while (fixture.server.open > 0) await soon();
    assert.equal(fixture.opened.length, 0);
  });

test('tells a peer that it closes why it was refused before', limit, async (t) => {
  const fixture = await tunnelFixture(t, { certificate, tunnel: token });
  const { trunk, greeting } = await trunkPeer(t, fixture.port, {
    dialer: tlsDialer(ca, ['causeway/1']),
    token: 'a.b.c',
  });
  assert.equal(greeting, 'bad-token');
  const ends = Array.from({ length: unauthenticatedRefusals - 1 }, () =>
    endOf(trunk.open(authorityOf('one'), 'a.b.c')),
  );
  assert.deepEqual(await Promise.all(ends), Array(unauthenticatedRefusals - 1).fill('bad-token'));
  const session = await h2Peer(t, fixture.port, { ca });
  const answers = Array.from({ length: unauthenticatedRefusals }, () => h2Answer(session, authorityOf('one')));
  assert.deepEqual(await Promise.all(answers), Array(unauthenticatedRefusals).fill('no-credentials'));
});

test(
  'an agent with good credentials may ask in vain more often, and is closed when it does nothing else',
  limit,
  async (t) => {
    const fixture = await tunnelFixture(t, { certificate, clock: () => 0, tunnel: token });
    const dialer = tlsDialer(ca, ['causeway/1']);
    const { trunk, isLost } = await trunkPeer(t, fixture.port, { dialer, token: fixture.token('one') });
    const ask = (): Promise<string> => endOf(trunk.open('elsewhere:443', fixture.token('one')));
    for (let count = 0; count < refusalsPerSecond; count += 1) assert.equal(await ask(), 'unknown-authority');
    assert.equal(isLost(), false);
    assert.equal(await ask(), 'unknown-authority');
    while (!isLost()) await soon();
    assert.equal(fixture.refused.at(-1), 'too-many-refusals');
  },
);

test('one tunnel opens so many connections in a second, and more in the next', () => {
  let now = 0;
  const limiter = new RequestLimiter(() => now);
  limiter.setAuthenticated();
  for (let count = 0; count < opensPerSecond; count += 1) assert.equal(limiter.takeOpen(), true);
  assert.equal(limiter.takeOpen(), false);
  now = 500;
  assert.equal(limiter.takeOpen(), true);
});
