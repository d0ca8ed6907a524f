// Both ends of the tunnel together: every way that an agent of ours can come in.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  createTransport,
  type Dialer,
  type Transport,
  type TransportOptions,
  TunnelRefused,
} from '../../../net/tunnel/index.ts';
import { PatternSink, pattern, writePattern } from '../../../net/tunnel/testing/pattern.ts';
import type { Wire } from '../../../net/wire/index.ts';
import { selfSigned } from '../../../net/wire/testing/certificate.ts';
import { plainDialer, testAuthority, tlsDialer } from './testing/dialers.ts';
import { soon } from './testing/peers.ts';
import { authorityOf, echoServer, tunnelFixture } from './testing/tunnel-fixture.ts';

const limit = { timeout: 40_000 };
const certificate = selfSigned('tunnel.example');
const alpns = ['causeway/1', 'h2'];
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function transport(t: TestContext, port: number, options: Partial<TransportOptions> = {}): Transport {
  const made = createTransport({ gateways: [{ host: '127.0.0.1', port }], dialer: plainDialer, ...options });
  t.after(() => made.close());
  return made;
}
const opened = (by: Transport, authority: string): Promise<Wire> =>
  new Promise((resolve, reject) => by.open(authority, (error, wire) => (wire ? resolve(wire) : reject(error))));

async function echoes(by: Transport, authority: string, length: number): Promise<PatternSink> {
  const wire = await opened(by, authority);
  const sink = new PatternSink(3);
  wire.read(sink);
  writePattern(wire, sink, length, 3);
  await sink.over;
  return sink;
}
const refusalOf = ({ error }: PatternSink): string | undefined =>
  error instanceof TunnelRefused ? error.refusal : error?.message;

type Way = { readonly dialer: Dialer; readonly options: Partial<TransportOptions> };
const ways: Readonly<Record<string, Way>> = {
  'trunks in cleartext': { dialer: plainDialer, options: { protocol: 'trunk' } },
  'HTTP/2 in cleartext': { dialer: plainDialer, options: { protocol: 'h2' } },
  'whatever it finds in cleartext': { dialer: plainDialer, options: {} },
  'trunks in TLS': { dialer: tlsDialer(certificate.cert, ['causeway/1']), options: { protocol: 'trunk' } },
  'HTTP/2 in TLS': { dialer: tlsDialer(certificate.cert, ['h2']), options: { protocol: 'h2' } },
  'whatever it finds in TLS': { dialer: tlsDialer(certificate.cert, alpns), options: {} },
};

for (const [name, { dialer, options }] of Object.entries(ways)) {
  test(`${name}: 10 MiB there and back, half-closed, and many small connections`, limit, async (t) => {
    const { port, server, opened: backends } = await tunnelFixture(t, { certificate });
    const own = transport(t, port, { dialer, ...options });
    const sink = await echoes(own, authorityOf('one'), 10 * 1024 * 1024);
    assert.equal(sink.error, undefined);
    assert.equal(sink.wrongAt, -1);
    assert.equal(sink.received, 10 * 1024 * 1024);
    const small = await Promise.all(Array.from({ length: 50 }, () => echoes(own, authorityOf('two'), 1000)));
    for (const one of small) assert.deepEqual([one.received, one.wrongAt, one.error], [1000, -1, undefined]);
    assert.equal(backends.length, 51);
    assert.ok(server.open > 0);
  });

  test(`${name}: a refusal names its code, and the next connection works`, limit, async (t) => {
    const { port, refused } = await tunnelFixture(t, { certificate });
    const own = transport(t, port, { dialer, ...options });
    assert.equal(refusalOf(await echoes(own, 'elsewhere:443', 10)), 'unknown-authority');
    assert.equal((await echoes(own, authorityOf('one'), 1000)).received, 1000);
    assert.deepEqual(refused, ['unknown-authority']);
  });

  test(`${name}: a backend that resets is a reset, and so is a client`, limit, async (t) => {
    const aborted: boolean[] = [];
    const backend = await echoServer(t, (socket) => {
      socket.on('close', (hadError) => aborted.push(hadError));
      socket.on('data', (chunk: Buffer) => {
        if (chunk.toString() === 'reset') socket.resetAndDestroy();
        else socket.write(chunk);
      });
    });
    const { port } = await tunnelFixture(t, { certificate, backend });
    const own = transport(t, port, { dialer, ...options });
    for (const who of ['backend', 'client', 'backend']) {
      const wire = await opened(own, authorityOf('one'));
      const sink = new PatternSink(0);
      wire.read(sink);
      wire.write(pattern(0, 10, 0), 0);
      while (sink.received < 10) await turn();
      if (who === 'client') wire.destroy(true);
      else wire.write(Buffer.from('reset'), 0);
      await sink.over;
      if (who === 'backend') assert.match(String(sink.error?.message), /reset/);
    }
    while (aborted.length < 3) await turn();
    assert.equal(aborted[1], true);
  });
}

test('a token opens its own cluster, and nothing else', limit, async (t) => {
  const fixture = await tunnelFixture(t, { certificate, tunnel: { authentication: 'token' } });
  const foreign = await tunnelFixture(t);
  const results: Record<string, string | number | undefined> = {};
  const cases: Record<string, string | undefined> = {
    good: fixture.token('one'),
    'other cluster': fixture.token('two'),
    expired: fixture.token('one', -1000),
    foreign: foreign.token('one'),
    broken: 'not.a.token',
    none: undefined,
  };
  for (const protocol of ['trunk', 'h2'] as const) {
    for (const [name, token] of Object.entries(cases)) {
      const dialer = tlsDialer(certificate.cert, alpns.slice(protocol === 'trunk' ? 0 : 1));
      const own = transport(t, fixture.port, { dialer, protocol, credentials: () => token });
      const sink = await echoes(own, authorityOf('one'), 100);
      results[`${protocol} ${name}`] = refusalOf(sink) ?? sink.received;
      own.close();
    }
  }
  const expected = {
    good: 100,
    'other cluster': 'wrong-cluster',
    expired: 'expired-token',
    foreign: 'foreign-token',
    broken: 'bad-token',
    none: 'no-credentials',
  };
  for (const [name, wanted] of Object.entries(expected)) {
    assert.deepEqual([results[`trunk ${name}`], results[`h2 ${name}`]], [wanted, wanted], name);
  }
  assert.equal(fixture.opened.length, 2);
});

test('a token that is replaced, or whose key is taken away, counts from the next connection on', limit, async (t) => {
  const fixture = await tunnelFixture(t, { certificate, tunnel: { authentication: 'token' } });
  const foreign = await tunnelFixture(t);
  let token = fixture.token('two');
  const dialer = tlsDialer(certificate.cert, alpns);
  const own = transport(t, fixture.port, { dialer, credentials: () => token });
  assert.equal(refusalOf(await echoes(own, authorityOf('one'), 10)), 'wrong-cluster');
  token = fixture.token('one');
  assert.equal((await echoes(own, authorityOf('one'), 10)).received, 10);
  fixture.apply({ authentication: 'token', publicKeys: [] });
  assert.equal(refusalOf(await echoes(own, authorityOf('one'), 10)), 'foreign-token');
  assert.equal(foreign.opened.length, 0);
});

test('a client certificate opens the cluster it names, while its authority is trusted', limit, async (t) => {
  const [authority, other] = [testAuthority('clients'), testAuthority('others')];
  const tunnel = { authentication: 'certificate', clientAuthorities: [authority.cert] } as const;
  const fixture = await tunnelFixture(t, { certificate, tunnel });
  const cases = {
    one: [authority.issue('/O=causeway:tunnel/CN=one'), 10],
    two: [authority.issue('/O=causeway:tunnel/CN=two'), 'wrong-cluster'],
    'another purpose': [authority.issue('/O=people/CN=one'), 'bad-certificate'],
    'another authority': [other.issue('/O=causeway:tunnel/CN=one'), 'bad-certificate'],
    none: [undefined, 'bad-certificate'],
  } as const;
  for (const [name, [pair, wanted]] of Object.entries(cases)) {
    const own = transport(t, fixture.port, { dialer: tlsDialer(certificate.cert, alpns, pair) });
    const sink = await echoes(own, authorityOf('one'), 10);
    assert.equal(refusalOf(sink) ?? sink.received, wanted, name);
    if (name !== 'one') continue;
    fixture.apply({ ...tunnel, clientAuthorities: [other.cert, authority.cert] });
    assert.equal((await echoes(own, authorityOf('one'), 10)).received, 10);
    fixture.apply({ ...tunnel, clientAuthorities: [other.cert] });
    assert.equal(refusalOf(await echoes(own, authorityOf('one'), 10)), 'bad-certificate');
    fixture.apply(tunnel);
  }
});

test('a new certificate is shown from the next handshake on', limit, async (t) => {
  const renewed = selfSigned('tunnel.example');
  const { port, server } = await tunnelFixture(t, { certificate });
  const before = transport(t, port, { dialer: tlsDialer(certificate.cert, alpns) });
  assert.equal((await echoes(before, authorityOf('one'), 10)).received, 10);
  server.setCertificate(renewed);
  const after = transport(t, port, { dialer: tlsDialer(renewed.cert, alpns) });
  assert.equal((await echoes(after, authorityOf('one'), 10)).received, 10);
  assert.equal((await echoes(before, authorityOf('one'), 10)).received, 10);
});

test('trunks without TLS are refused where credentials are asked for', limit, async (t) => {
  const {
    port,
    token,
    opened: backends,
  } = await tunnelFixture(t, { certificate, tunnel: { authentication: 'token' } });
  const own = transport(t, port, { protocol: 'trunk', credentials: () => token('one') });
  assert.equal(refusalOf(await echoes(own, authorityOf('one'), 10)), 'not-tls');
  assert.equal(backends.length, 0);
});

test('unauthenticated peers are answered or closed, and counted', limit, async (t) => {
  const { port, refused, opened: backends } = await tunnelFixture(t, { certificate, firstBytesMs: 200 });
  const cases = {
    'GET / HTTP/1.1\r\nhost: x\r\n\r\n': 'plain-http',
    '\x00\x01\x02\x03 garbage': 'not-tls',
    '\x16\x03\x01\x00\x05hello': 'hello-malformed',
    C: 'hello-timeout',
  };
  for (const [bytes, code] of Object.entries(cases)) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume().write(Buffer.from(bytes, 'latin1'));
    await closed;
    assert.equal(refused.at(-1), code, JSON.stringify(bytes));
  }
  assert.equal(backends.length, 0);
});

test('a drain takes no connection away, and agents leave by themselves', limit, async (t) => {
  const [first, second] = [await tunnelFixture(t), await tunnelFixture(t)];
  const gateways = [first.port, second.port].map((port) => ({ host: '127.0.0.1', port }));
  const own = transport(t, first.port, { gateways, protocol: 'trunk' });
  const wires: [Wire, PatternSink][] = [];
  for (let count = 0; count < 10; count += 1) {
    const wire = await opened(own, authorityOf('one'));
    const sink = new PatternSink(0);
    wire.read(sink);
    wire.write(pattern(0, 10, 0), 0);
    while (sink.received < 10) await turn();
    wires.push([wire, sink]);
  }
  const before = first.opened.length;
  assert.ok(before > 0, 'nothing went through the first gateway');
  first.stopListening();
  first.server.drain();
  // What comes from now on goes elsewhere, while the first still carries what it has.
  await soon(200);
  for (let count = 0; count < 5; count += 1) assert.equal((await echoes(own, authorityOf('two'), 10)).received, 10);
  assert.deepEqual([first.opened.length, second.opened.length + before], [before, 15]);
  for (const [wire, sink] of wires) {
    wire.write(pattern(10, 10, 0), 0);
    wire.end();
    await sink.over;
    assert.deepEqual([sink.received, sink.wrongAt, sink.error], [20, -1, undefined]);
  }
  while (first.server.open > 0) await soon();
  assert.ok(second.server.open > 0);
});

test('a dead gateway is found by its silence, and another one is used', limit, async (t) => {
  const good = await tunnelFixture(t);
  const sockets: import('node:net').Socket[] = [];
  // Passes bytes on until it falls silent, like a machine whose cable was pulled.
  let silent = false;
  const relay = createServer((socket) => {
    const up = connect(good.port, '127.0.0.1');
    sockets.push(socket, up);
    for (const [from, to] of [
      [socket, up],
      [up, socket],
    ] as const) {
      from.on('error', () => {}).on('data', (chunk: Buffer) => void (silent || to.write(chunk)));
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  });
  const timing = { pingEveryMs: 200, pingTimeoutMs: 600 };
  const { port } = relay.address() as { port: number };
  const gateways = [{ host: '127.0.0.1', port }];
  for (const protocol of ['trunk', 'h2'] as const) {
    silent = false;
    const own = transport(t, port, { gateways, protocol, timing });
    const wire = await opened(own, authorityOf('one'));
    const sink = new PatternSink(0);
    wire.read(sink);
    wire.write(pattern(0, 10, 0), 0);
    while (sink.received < 10 || !own.state.ready) await turn();
    silent = true;
    await sink.over;
    assert.equal((sink.error as NodeJS.ErrnoException).code, 'ETIMEDOUT');
    assert.equal(own.state.ready, false);
    silent = false;
    while (!own.state.ready) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal((await echoes(own, authorityOf('one'), 100)).received, 100);
    own.close();
  }
});

test('an address that cannot be reached costs no connection while another can', limit, async (t) => {
  const { port } = await tunnelFixture(t);
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const closedPort = (nobody.address() as { port: number }).port;
  nobody.close();
  const gateways = [closedPort, port].map((one) => ({ host: '127.0.0.1', port: one }));
  const own = transport(t, port, { gateways, protocol: 'trunk' });
  const all = await Promise.all(Array.from({ length: 20 }, () => echoes(own, authorityOf('one'), 100)));
  assert.deepEqual(
    all.map(({ received }) => received),
    Array.from({ length: 20 }, () => 100),
  );
  const alone = transport(t, closedPort, { protocol: 'trunk' });
  await assert.rejects(opened(alone, authorityOf('one')), /ECONNREFUSED/);
});
