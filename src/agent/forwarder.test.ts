import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { listening } from '../../test/support/agent/mini-proxy.ts';
import { until } from '../../test/support/gateway/until.ts';
import { type OpenDone, TunnelRefused } from '../net/tunnel/index.ts';
import { listen, localDial } from '../net/wire/index.ts';
import { Forwarder, type ForwarderOptions } from './forwarder.ts';

/** A transport that goes nowhere but to a server of the test, when it is up. */
class StraightTransport {
  up = true;
  opens = 0;
  port: number;
  constructor(port: number) {
    this.port = port;
  }
  open(_authority: string, done: OpenDone): void {
    this.opens += 1;
    if (this.up) localDial('127.0.0.1', this.port, 1_000, done);
    else setImmediate(done, new Error('no gateway'));
  }
}

async function setUp(t: TestContext, options: Partial<ForwarderOptions> = {}) {
  const echo = createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => {}).pipe(socket));
  const transport = new StraightTransport(await listening(t, echo));
  const failures: string[] = [];
  const forwarder = new Forwarder({
    transport,
    authority: 'a:1',
    failed: (reason) => void failures.push(reason),
    ...options,
  });
  const listener = await listen('127.0.0.1', 0, (wire) => forwarder.accept(wire));
  t.after(() => listener.close());
  const client = (): Socket => {
    const socket = connect({ port: listener.local.port, host: '127.0.0.1', allowHalfOpen: true });
    t.after(() => socket.destroy());
    return socket;
  };
  return { forwarder, transport, failures, client };
}

const answerTo = (socket: Socket, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.on('end', () => resolve(got)).on('error', reject);
    socket.end(text);
  });

const endOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? '')).on('end', () => resolve('end'));
    socket.resume();
  });

test('carries a connection both ways to its end, and counts its bytes', async (t) => {
  const { forwarder, client } = await setUp(t);
  assert.equal(await answerTo(client(), 'hello'), 'hello');
  await until(() => forwarder.counters.open === 0);
  assert.deepEqual(forwarder.bytes(), { sent: 5, received: 5 });
  assert.equal(forwarder.counters.accepted, 1);
});

test('ends a connection of which one side has ended while nothing comes from the other, and says so', async (t) => {
  const { forwarder, failures, transport } = await setUp(t, { halfClosedTimeoutMs: 200 });
  const silent = createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => {}).resume());
  transport.port = await listening(t, silent);
  const listener = await listen('127.0.0.1', 0, (wire) => forwarder.accept(wire));
  t.after(() => listener.close());
  const socketOf = (): Socket => {
    const socket = connect({ port: listener.local.port, host: '127.0.0.1', allowHalfOpen: true });
    t.after(() => socket.destroy());
    return socket;
  };
  const [ended, open] = [socketOf(), socketOf()];
  open.write('hello');
  ended.end('hello');
  assert.equal(await endOf(ended), 'ECONNRESET');
  assert.deepEqual(failures, ['half-closed']);
  assert.equal(forwarder.counters.open, 1);
});

test('lets connections wait while no gateway answers, and carries them when one does', async (t) => {
  const { forwarder, transport, client } = await setUp(t);
  transport.up = false;
  const answers = ['one', 'two', 'three'].map((text) => answerTo(client(), text));
  await until(() => forwarder.counters.waiting === 3);
  transport.up = true;
  forwarder.retry();
  assert.deepEqual(await Promise.all(answers), ['one', 'two', 'three']);
  assert.equal(forwarder.counters.waiting, 0);
});

test('finds out by itself that a gateway is back, with one attempt for all who wait', async (t) => {
  const { forwarder, transport, client } = await setUp(t);
  transport.up = false;
  const answers = Array.from({ length: 20 }, () => answerTo(client(), 'x'));
  await until(() => forwarder.counters.waiting === 20);
  assert.ok(transport.opens <= 20);
  const before = transport.opens;
  transport.up = true;
  assert.equal((await Promise.all(answers)).length, 20);
  assert.ok(transport.opens - before <= 21);
});

test('resets a connection that has waited too long', async (t) => {
  const { forwarder, transport, failures, client } = await setUp(t, { waitTimeoutMs: 100 });
  transport.up = false;
  assert.equal(await endOf(client()), 'ECONNRESET');
  assert.deepEqual(failures, ['no-gateway']);
  assert.equal(forwarder.counters.waiting, 0);
});

test('resets what comes when too many wait', async (t) => {
  const { forwarder, transport, failures, client } = await setUp(t, { maxWaiting: 2 });
  transport.up = false;
  client();
  client();
  await until(() => forwarder.counters.waiting === 2);
  assert.equal(await endOf(client()), 'ECONNRESET');
  assert.deepEqual(failures, ['too-many-waiting']);
  await forwarder.drain(0);
});

test('resets a connection that the gateway refuses, and says why', async (t) => {
  const refusing: ForwarderOptions['transport'] = {
    open: (_authority, done) =>
      done(undefined, {
        remote: { address: '', port: 0 },
        local: { address: '', port: 0 },
        read: (sink) => void setImmediate(() => sink.closed(new TunnelRefused('expired-token', 'It is over.'))),
        pause: () => {},
        resume: () => {},
        release: () => {},
        write: () => true,
        end: () => {},
        destroy: () => {},
        toSocket: () => assert.fail(),
      }),
  };
  const { forwarder, failures, client } = await setUp(t, { transport: refusing });
  assert.equal(await endOf(client()), 'ECONNRESET');
  assert.deepEqual(failures, ['expired-token']);
  assert.equal(forwarder.counters.failed.get('expired-token'), 1);
});

test('drains: what ends by itself is not disturbed, the rest is ended after the grace time', async (t) => {
  const { forwarder, client } = await setUp(t);
  const idle = client();
  const brief = client();
  await until(() => forwarder.counters.open === 2);
  const draining = forwarder.drain(300);
  assert.equal(await answerTo(brief, 'still'), 'still');
  const ended = endOf(idle);
  assert.equal(await draining, 1);
  assert.equal(await ended, 'ECONNRESET');
  assert.equal(await forwarder.drain(1), 0);
});
