// Connections that are asked for and taken back at once: with good credentials, at backends that do not answer.
import assert from 'node:assert/strict';
import { type ClientHttp2Session, constants } from 'node:http2';
import { type TestContext, test } from 'node:test';
import { selfSigned } from '../../../net/wire/testing/certificate.ts';
import { ofAllTunnels, ofOneTunnel, ResetLimiter } from './reset-limiter.ts';
import { tlsDialer } from './testing/dialers.ts';
import { connectStream, h2Peer, soon, type TrunkPeer, trunkPeer } from './testing/peers.ts';
import { authorityOf, type TunnelFixture, tunnelFixture } from './testing/tunnel-fixture.ts';

const limit = { timeout: 40_000 };
const certificate = selfSigned('tunnel.example');
const ca = certificate.cert;
/** What a flood may get through between one look at the budget and the next. */
const slack = 1000;

interface Flooder {
  readonly isOver: () => boolean;
  /** Asks for so many and takes them back. */
  flood(count: number): void;
}
type Come = (t: TestContext, fixture: TunnelFixture) => Promise<Flooder>;

const overHttp2: Come = async (t, { port, token }) => {
  const session: ClientHttp2Session = await h2Peer(t, port, { ca });
  const credentials = token('one');
  const flood = (count: number): void => {
    for (let made = 0; made < count && !session.destroyed && !session.closed; made += 1)
      connectStream(session, authorityOf('one'), credentials).close(constants.NGHTTP2_CANCEL);
  };
  return { isOver: () => session.destroyed || session.closed, flood };
};
const overTrunk: Come = async (t, { port, token }) => {
  const credentials = token('one');
  const dialer = tlsDialer(ca, ['causeway/1']);
  const { trunk, isLost }: TrunkPeer = await trunkPeer(t, port, { dialer, token: credentials });
  const flood = (count: number): void => {
    for (let made = 0; made < count && !isLost(); made += 1) trunk.open(authorityOf('one'), credentials).destroy(true);
  };
  return { isOver: isLost, flood };
};

for (const [name, come] of Object.entries({ 'HTTP/2': overHttp2, 'a trunk': overTrunk })) {
  const flooded = (t: TestContext): Promise<TunnelFixture> =>
    tunnelFixture(t, { certificate, unanswered: true, clock: () => 0, tunnel: { authentication: 'token' } });

  test(`${name}: one tunnel is closed when its limiter is spent, and no dial is left behind`, limit, async (t) => {
    const fixture = await flooded(t);
    const flooder = await come(t, fixture);
    for (let made = 0; made < 20_000 && fixture.server.open > 0; made += 100) {
      flooder.flood(100);
      await soon(1);
    }
    while (fixture.server.open > 0) await soon();
    assert.ok(fixture.opened.length <= ofOneTunnel.burst + slack, `${fixture.opened.length} dials`);
    while (fixture.dials.now > 0) await soon();
    assert.equal(fixture.dials.abandoned, fixture.opened.length);
    assert.deepEqual(fixture.refused, ['too-many-resets']);
  });

  test(`${name}: many tunnels have a limiter together, and who resets little does not pay for it`, limit, async (t) => {
    const fixture = await flooded(t);
    const honest = await come(t, fixture);
    honest.flood(10);
    const flooders = await Promise.all(Array.from({ length: 10 }, () => come(t, fixture)));
    const each = ofOneTunnel.burst * 0.8;
    for (let made = 0; made < each; made += 50) {
      for (const flooder of flooders) flooder.flood(50);
      await soon(1);
    }
    // A client that is shut out in the middle of sending does not always notice; the server does.
    while (fixture.server.open > 1) await soon();
    honest.flood(10);
    await soon(500);
    assert.equal(honest.isOver(), false);
    assert.ok(fixture.opened.length <= ofAllTunnels.burst + slack, `${fixture.opened.length} dials`);
    while (fixture.dials.now > 0) await soon();
    assert.equal(fixture.refused.filter((code) => code === 'too-many-resets').length, flooders.length);
  });
}

test('a budget comes back with time', () => {
  let now = 0;
  const limiter = new ResetLimiter({ burst: 10, perSecond: 2 }, () => now);
  const spent = (): number => {
    let count = 0;
    while (limiter.spend()) count += 1;
    return count;
  };
  assert.equal(spent(), 10);
  now = 2000;
  assert.equal(spent(), 3);
  now = 3_600_000;
  assert.equal(spent(), 10);
});
