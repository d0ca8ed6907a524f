// One node is shut out, and nobody else notices.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { selfSigned } from '../../../net/wire/testing/certificate.ts';
import type { SnapshotCluster } from '../../snapshot/snapshot.ts';
import { sampleCluster } from '../../snapshot/testing/snapshots.ts';
import { tlsDialer } from './testing/dialers.ts';
import { connectStream, endOf, h2Answer, h2Peer, soon, type TrunkPeer, trunkPeer } from './testing/peers.ts';
import { testTokenAuthority } from './testing/service-accounts.ts';
import { authorityOf, type TunnelFixture, tunnelFixture } from './testing/tunnel-fixture.ts';

const limit = { timeout: 40_000 };
const certificate = selfSigned('tunnel.example');
const ca = certificate.cert;
const tunnel = { authentication: 'token' } as const;
const accounts = { one: testTokenAuthority(), two: testTokenAuthority() };

type Revocations = Pick<SnapshotCluster, 'evictedNodes' | 'unboundTokensFrom'>;
interface Scene extends TunnelFixture {
  /** The snapshot of cluster one says this from now on. */
  revoke(revocations: Revocations): void;
  trunk(token: string): Promise<TrunkPeer>;
}

async function scene(t: TestContext): Promise<Scene> {
  const fixture = await tunnelFixture(t, { certificate, tunnel });
  const cluster = (name: 'one' | 'two', more: Revocations = {}): SnapshotCluster => ({
    ...sampleCluster(name),
    tokenAuthorities: [accounts[name].authority],
    ...more,
  });
  fixture.apply(tunnel, { one: cluster('one'), two: cluster('two') });
  return {
    ...fixture,
    revoke: (revocations) => fixture.apply(tunnel, { one: cluster('one', revocations) }),
    trunk: (token) => trunkPeer(t, fixture.port, { dialer: tlsDialer(ca, ['causeway/1']), token }),
  };
}

const lost = async (peer: TrunkPeer): Promise<void> => {
  for (let tries = 0; !peer.isLost(); tries++) {
    assert.ok(tries < 500, 'the tunnel is open still');
    await soon();
  }
};
const seconds = (ms = Date.now()): number => Math.floor(ms / 1000);

test('a token of the cluster’s own lets its node in, and the connection is known as the node’s', limit, async (t) => {
  const { trunk, opened } = await scene(t);
  const token = accounts.one.token('n1');
  const { greeting, trunk: client } = await trunk(token);
  assert.equal(greeting, undefined);
  client.open(authorityOf('one'), token);
  for (let tries = 0; opened.length === 0 && tries < 500; tries++) await soon();
  assert.equal(opened[0]?.identity?.node, 'n1');
  assert.equal(opened[0]?.identity?.cluster, 'one');
});

test('a token of one cluster opens nothing of another', limit, async (t) => {
  const { port, refused, opened } = await scene(t);
  const session = await h2Peer(t, port, { ca });
  assert.equal(await h2Answer(session, authorityOf('two'), accounts.one.token('n1')), 'wrong-cluster');
  assert.equal(await h2Answer(session, authorityOf('two'), accounts.two.token('n1')), '200');
  assert.deepEqual([refused, opened.length], [['wrong-cluster'], 1]);
});

test('eviction closes the tunnels of that node at once, and those of others go on', limit, async (t) => {
  const { trunk, revoke, refused } = await scene(t);
  const [stolen, thief, other] = [
    await trunk(accounts.one.token('n1')),
    await trunk(accounts.one.token('n1')),
    await trunk(accounts.one.token('n2')),
  ];
  const sameName = await trunk(accounts.two.token('n1'));
  revoke({ evictedNodes: [{ name: 'n1' }] });
  await Promise.all([lost(stolen), lost(thief)]);
  assert.deepEqual(refused, ['evicted-node', 'evicted-node']);
  assert.deepEqual([other.isLost(), sameName.isLost()], [false, false]);
  assert.equal((await trunk(accounts.one.token('n1'))).greeting, 'evicted-node');
  assert.equal((await trunk(accounts.one.token('n2'))).greeting, undefined);
});

test('eviction counts for tokens that the seed signed for the node too', limit, async (t) => {
  const { trunk, token, revoke } = await scene(t);
  const peer = await trunk(token('one', 60_000, 'n1'));
  assert.equal(peer.greeting, undefined);
  revoke({ evictedNodes: [{ name: 'n1' }] });
  await lost(peer);
  assert.equal((await trunk(token('one', 60_000, 'n1'))).greeting, 'evicted-node');
});

test('what an evicted node has open in an HTTP/2 session ends, although another token came after', limit, async (t) => {
  const { port, revoke, refused } = await scene(t);
  const session = await h2Peer(t, port, { ca });
  const stream = connectStream(session, authorityOf('one'), accounts.one.token('n1'));
  await once(stream, 'response');
  assert.equal(await h2Answer(session, authorityOf('one'), accounts.one.token('n2')), '200');
  const closed = once(stream, 'close');
  revoke({ evictedNodes: [{ name: 'n1' }] });
  await closed;
  assert.deepEqual(refused, ['evicted-node']);
});

test('a connection that is carried ends with the eviction', limit, async (t) => {
  const { trunk, opened, revoke } = await scene(t);
  const token = accounts.one.token('n1');
  const { trunk: client } = await trunk(token);
  const ended = endOf(client.open(authorityOf('one'), token));
  for (let tries = 0; opened.length === 0 && tries < 500; tries++) await soon();
  revoke({ evictedNodes: [{ name: 'n1' }] });
  assert.ok(await ended);
});

test('an evicted peer counts as unauthenticated: it is closed after a few refusals', limit, async (t) => {
  const { trunk, revoke, refused } = await scene(t);
  revoke({ evictedNodes: [{ name: 'n1' }] });
  const peer = await trunk(accounts.one.token('n1'));
  const token = accounts.one.token('n1');
  for (let count = 0; count < 20; count++) void endOf(peer.trunk.open(authorityOf('one'), token));
  await lost(peer);
  assert.ok(refused.includes('too-many-refusals'));
  assert.ok(!refused.includes('unknown-authority'));
});

test('taken back, a node comes by tokens that were issued since, and by no older one', limit, async (t) => {
  const { trunk, revoke } = await scene(t);
  const now = Date.now();
  revoke({ evictedNodes: [{ name: 'n1', issuedBefore: seconds(now) - 60 }] });
  assert.equal((await trunk(accounts.one.token('n1', now - 61_000))).greeting, 'evicted-node');
  assert.equal((await trunk(accounts.one.token('n1', now - 59_000))).greeting, undefined);
  // Said twice, the stricter one counts.
  revoke({ evictedNodes: [{ name: 'n1' }, { name: 'n1', issuedBefore: 1 }] });
  assert.equal((await trunk(accounts.one.token('n1', now))).greeting, 'evicted-node');
});

test('tokens that name no node are refused when they are older than is allowed', limit, async (t) => {
  const { trunk, token, revoke, refused } = await scene(t);
  // Issued two minutes ago.
  const peer = await trunk(token('one'));
  revoke({ unboundTokensFrom: seconds() - 180 });
  assert.equal(peer.isLost(), false);
  revoke({ unboundTokensFrom: seconds() - 60 });
  await lost(peer);
  assert.equal((await trunk(token('one'))).greeting, 'revoked-token');
  assert.equal((await trunk(token('two'))).greeting, undefined);
  assert.equal((await trunk(accounts.one.token('n1'))).greeting, undefined);
  assert.deepEqual(refused, ['revoked-token', 'revoked-token']);
});

test('a change that takes nothing back closes nothing', limit, async (t) => {
  const { trunk, apply, token, revoke } = await scene(t);
  revoke({ evictedNodes: [{ name: 'n9' }] });
  const peers = [await trunk(accounts.one.token('n1')), await trunk(token('one'))];
  revoke({ evictedNodes: [{ name: 'n8' }, { name: 'n9' }] });
  apply(tunnel);
  revoke({});
  await soon();
  assert.deepEqual(
    peers.map((peer) => peer.isLost()),
    [false, false],
  );
});
