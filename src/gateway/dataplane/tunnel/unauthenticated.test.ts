// Timeouts and bounds of half-open and unauthenticated connections. The clock is the test's own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { selfSigned } from '../../../net/wire/testing/certificate.ts';
import { type KeyPair, testAuthority, tlsDialer } from './testing/dialers.ts';
import { cableTo, endOf, h2Answer, h2Peer, silentSocket, soon, trunkPeer } from './testing/peers.ts';
import { authorityOf, type TunnelFixture, type TunnelFixtureOptions, tunnelFixture } from './testing/tunnel-fixture.ts';

const limit = { timeout: 40_000 };
const certificate = selfSigned('tunnel.example');
const clients = testAuthority('clients');
const ca = certificate.cert;
const trunkTls = (own?: KeyPair) => tlsDialer(ca, ['causeway/1'], own);
const nothing = Buffer.alloc(0);
/** So begins a ClientHello. */
const halfAHello = Buffer.from([0x16, 3, 1, 0, 200, 1, 0]);
const day = 24 * 60 * 60 * 1000;

interface TimedFixture extends TunnelFixture {
  /** So many seconds go by, in steps that leave time for answers. */
  pass(seconds: number): Promise<void>;
  setWallClock(ms: number): void;
}

async function timedFixture(t: TestContext, options: TunnelFixtureOptions = {}): Promise<TimedFixture> {
  let [clock, wall] = [0, 0];
  const now = (): number => wall || Date.now();
  const fixture = await tunnelFixture(t, { certificate, clock: () => clock, now, ...options });
  const pass = async (seconds: number): Promise<void> => {
    for (let left = seconds; left > 0; left -= 5) {
      clock += 1000 * Math.min(left, 5);
      fixture.server.tick();
      await soon();
    }
  };
  const setWallClock = (ms: number): void => {
    wall = ms;
  };
  return { ...fixture, pass, setWallClock };
}
const emptied = async ({ server }: TunnelFixture): Promise<void> => {
  while (server.open > 0) await soon();
};

type Authentication = 'none' | 'token' | 'certificate';
interface Case {
  readonly authentication: Authentication;
  readonly come: (t: TestContext, fixture: TimedFixture) => Promise<unknown>;
}
interface Leaver extends Case {
  /** It is still there after the first time, and gone after the second. */
  readonly seconds: readonly [number, number];
  readonly counted: readonly string[];
}

const leavers: Readonly<Record<string, Leaver>> = {
  'who says nothing': {
    authentication: 'token',
    come: (t, { port }) => silentSocket(t, port, nothing),
    seconds: [4, 5],
    counted: ['hello-timeout'],
  },
  'who stops in the middle of a handshake': {
    authentication: 'token',
    come: (t, { port }) => silentSocket(t, port, halfAHello),
    seconds: [4, 5],
    counted: ['hello-timeout'],
  },
  'an HTTP/2 session without a request': {
    authentication: 'token',
    come: (t, { port }) => h2Peer(t, port, { ca }),
    seconds: [14, 15],
    counted: ['hello-timeout'],
  },
  'an HTTP/2 session without credentials': {
    authentication: 'token',
    come: async (t, { port }) => h2Answer(await h2Peer(t, port, { ca }), authorityOf('one')),
    seconds: [14, 15],
    counted: ['no-credentials'],
  },
  'an HTTP/2 session without a client certificate': {
    authentication: 'certificate',
    come: (t, { port }) => h2Peer(t, port, { ca }),
    seconds: [14, 15],
    counted: ['hello-timeout'],
  },
  'an HTTP/2 session that gets nothing where no credentials are asked for': {
    authentication: 'none',
    come: async (t, { port }) => h2Answer(await h2Peer(t, port), 'elsewhere:443'),
    seconds: [14, 15],
    counted: ['unknown-authority'],
  },
  'a trunk with bad credentials': {
    authentication: 'token',
    come: (t, { port }) => trunkPeer(t, port, { dialer: trunkTls(), token: 'not.a.token' }),
    seconds: [14, 15],
    counted: ['bad-token'],
  },
  'a known HTTP/2 session that is silent': {
    authentication: 'none',
    come: async (t, { port }) => {
      const cable = await cableTo(t, port);
      await h2Answer(await h2Peer(t, cable.port), authorityOf('one'));
      cable.cut();
    },
    seconds: [40, 45],
    counted: [],
  },
  'a known trunk that is silent': {
    authentication: 'none',
    come: async (t, { port }) => {
      const cable = await cableTo(t, port);
      await trunkPeer(t, cable.port);
      cable.cut();
    },
    // It had just been heard.
    seconds: [45, 50],
    counted: [],
  },
};

for (const [name, { authentication, come, seconds, counted }] of Object.entries(leavers)) {
  test(`${name} is shown out after ${seconds[1]} s and not before`, limit, async (t) => {
    const fixture = await timedFixture(t, { tunnel: { authentication, clientAuthorities: [clients.cert] } });
    await come(t, fixture);
    while (fixture.server.open === 0) await soon();
    // What it has sent arrives.
    await soon(100);
    await fixture.pass(seconds[0]);
    assert.equal(fixture.server.open, 1);
    await fixture.pass(seconds[1] - seconds[0]);
    await emptied(fixture);
    assert.deepEqual([fixture.refused, fixture.server.halfOpen], [counted, 0]);
  });
}

const stayers: Readonly<Record<string, Case>> = {
  'an HTTP/2 session with a good token': {
    authentication: 'token',
    come: async (t, { port, token }) => h2Answer(await h2Peer(t, port, { ca }), authorityOf('one'), token('one')),
  },
  'an HTTP/2 session with a good token that asks for the wrong thing': {
    authentication: 'token',
    come: async (t, { port, token }) => h2Answer(await h2Peer(t, port, { ca }), 'elsewhere:443', token('one')),
  },
  'an HTTP/2 session with a good certificate': {
    authentication: 'certificate',
    come: (t, { port }) => h2Peer(t, port, { ca, own: clients.issue('/O=causeway:tunnel/CN=one') }),
  },
  'an HTTP/2 session that was admitted without credentials': {
    authentication: 'none',
    come: async (t, { port }) => h2Answer(await h2Peer(t, port), authorityOf('one')),
  },
  'a trunk with a good token': {
    authentication: 'token',
    come: (t, { port, token }) => trunkPeer(t, port, { dialer: trunkTls(), token: token('one') }),
  },
};

for (const [name, { authentication, come }] of Object.entries(stayers)) {
  test(`${name} may stay, and is asked now and then whether it is there`, limit, async (t) => {
    const fixture = await timedFixture(t, { tunnel: { authentication, clientAuthorities: [clients.cert] } });
    await come(t, fixture);
    await fixture.pass(120);
    await soon(1200);
    assert.deepEqual([fixture.server.open, fixture.server.halfOpen], [1, 0]);
  });
}

test('when too many have not said anything or are in a handshake, the oldest goes', limit, async (t) => {
  const fixture = await timedFixture(t, { maxHalfOpen: 6, tunnel: { authentication: 'token' } });
  const sockets = [];
  for (let count = 0; count < 9; count += 1) {
    sockets.push(await silentSocket(t, fixture.port, count % 2 === 0 ? halfAHello : nothing));
    while (fixture.server.halfOpen + fixture.refused.length <= count) await soon();
    await soon();
  }
  assert.equal(fixture.server.halfOpen, 6);
  for (const socket of sockets.slice(0, 3)) if (!socket.destroyed) await once(socket, 'close');
  assert.deepEqual(fixture.refused, Array(3).fill('too-many-half-open'));
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    sockets.map((_, index) => index < 3),
  );
  await fixture.pass(5);
  assert.equal(fixture.server.halfOpen, 0);
});

test('when too many tunnels have not shown that they belong here, the oldest goes', limit, async (t) => {
  const fixture = await timedFixture(t, { maxUnauthenticated: 4, tunnel: { authentication: 'token' } });
  const authenticated = await h2Peer(t, fixture.port, { ca });
  assert.equal(await h2Answer(authenticated, authorityOf('one'), fixture.token('one')), '200');
  const unauthenticated = [];
  for (let count = 0; count < 10; count += 1) unauthenticated.push(await h2Peer(t, fixture.port, { ca }));
  for (const session of unauthenticated.slice(0, 6)) if (!session.destroyed) await once(session, 'close');
  assert.deepEqual([fixture.server.halfOpen, fixture.server.open], [4, 5]);
  assert.deepEqual(fixture.refused, Array(6).fill('too-many-half-open'));
  assert.equal(authenticated.destroyed || unauthenticated.slice(6).some(({ destroyed }) => destroyed), false);
});

test('a client certificate counts until it expires, also in a tunnel that is open', limit, async (t) => {
  const tunnel = { authentication: 'certificate', clientAuthorities: [clients.cert] } as const;
  const fixture = await timedFixture(t, { tunnel });
  const own = clients.issue('/O=causeway:tunnel/CN=one');
  const session = await h2Peer(t, fixture.port, { ca, own });
  const { trunk } = await trunkPeer(t, fixture.port, { dialer: trunkTls(own) });
  assert.equal(await h2Answer(session, authorityOf('one')), '200');
  fixture.setWallClock(Date.now() + 3 * day);
  assert.equal(await h2Answer(session, authorityOf('one')), 'bad-certificate');
  assert.equal(await endOf(trunk.open(authorityOf('one'), undefined)), 'bad-certificate');
  assert.equal(fixture.opened.length, 1);
});

test('a trunk carries so many connections at a time, and says so', limit, async (t) => {
  const fixture = await timedFixture(t, { streamsPerSession: 3 });
  const { trunk } = await trunkPeer(t, fixture.port);
  const wires = Array.from({ length: 4 }, () => trunk.open(authorityOf('one'), undefined));
  const ends = wires.map(endOf);
  assert.equal(await ends[3], 'too-many-streams');
  wires[0]?.end();
  assert.equal(await ends[0], 'over');
  const next = trunk.open(authorityOf('one'), undefined);
  next.end();
  assert.equal(await endOf(next), 'over');
  assert.deepEqual(fixture.refused, ['too-many-streams']);
});

test('a connection to no authority is refused over a trunk, too', limit, async (t) => {
  const fixture = await timedFixture(t);
  const { trunk } = await trunkPeer(t, fixture.port);
  assert.equal(await endOf(trunk.open('', undefined)), 'no-authority');
  assert.deepEqual([fixture.refused, fixture.opened.length], [['no-authority'], 0]);
});
