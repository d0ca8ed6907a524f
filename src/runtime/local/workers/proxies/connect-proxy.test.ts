import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openNameForwarder } from './connect-proxy.ts';
import { openDemoProxy } from './demo-proxy.ts';

const loopback = '127.0.0.1';

/** Repeats what it hears. */
async function echo(t: TestContext): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => {}).pipe(socket));
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, loopback, resolve));
  return (server.address() as { port: number }).port;
}

interface Asked {
  readonly status: number;
  readonly head: string;
  readonly socket: Socket;
}

/** As a client does it: CONNECT, and the first line of the answer. */
const askFor = (t: TestContext, port: number, target: string, credentials?: string): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, loopback);
    t.after(() => socket.destroy());
    const shown = credentials && `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`;
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${shown ?? ''}\r\n`);
    socket.once('data', (chunk) => {
      const head = chunk.toString();
      resolve({ status: Number(head.split(' ')[1]), head, socket });
    });
    socket.once('error', reject);
  });

const answerTo = (socket: Socket, text: string): Promise<string> =>
  new Promise((resolve) => {
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
      if (heard.includes(text)) resolve(heard);
    });
    socket.write(text);
  });

test('the forwarder brings names of the platform to the gateway, and nothing anywhere else', async (t) => {
  const port = await echo(t);
  const forwarder = await openNameForwarder({ host: loopback, port: 0 });
  t.after(() => forwarder.close());
  forwarder.know(new Map([['shop.west.example:6443', { host: loopback, port }]]));
  const { status, socket } = await askFor(t, forwarder.port, 'shop.west.example:6443');
  assert.equal(status, 200);
  assert.match(await answerTo(socket, 'ping'), /ping/);
  for (const target of ['shop.west.example:22', 'other.example:6443', `${loopback}:${port}`])
    assert.equal((await askFor(t, forwarder.port, target)).status, 403, target);
});

async function demoProxy(t: TestContext, target: number): Promise<number> {
  const rules = {
    credentials: { user: 'worker', password: 'p:ss' },
    connectPorts: [target],
    hosts: new Map([['shop.west.example', loopback]]),
  };
  const proxy = await openDemoProxy({ host: loopback, port: 0 }, () => rules);
  t.after(() => proxy.close());
  return proxy.port;
}

test('the demo proxy asks for user and password', async (t) => {
  const target = await echo(t);
  const port = await demoProxy(t, target);
  for (const credentials of [undefined, 'worker:', 'worker:other', 'other:p:ss']) {
    const { status, head } = await askFor(t, port, `shop.west.example:${target}`, credentials);
    assert.equal(status, 407);
    assert.match(head, /Proxy-Authenticate: Basic/);
  }
  assert.equal((await askFor(t, port, `shop.west.example:${target}`, 'worker:p:ss')).status, 200);
});

test('the demo proxy knows the platform and allowed ports only', async (t) => {
  const target = await echo(t);
  const port = await demoProxy(t, target);
  for (const place of ['shop.west.example:22', `example.com:${target}`, `10.0.0.1:${target}`])
    assert.equal((await askFor(t, port, place, 'worker:p:ss')).status, 403, place);
  assert.equal((await askFor(t, port, 'nonsense', 'worker:p:ss')).status, 400);
});

test('a gateway that is not there is an answer, not silence', async (t) => {
  const gone = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, loopback, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
  const port = await demoProxy(t, gone);
  assert.equal((await askFor(t, port, `shop.west.example:${gone}`, 'worker:p:ss')).status, 502);
});

test('a proxy that ends takes its connections with it', async (t) => {
  const target = await echo(t);
  const forwarder = await openNameForwarder({ host: loopback, port: 0 });
  forwarder.know(new Map([['shop.west.example:1', { host: loopback, port: target }]]));
  const { socket } = await askFor(t, forwarder.port, 'shop.west.example:1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await forwarder.close();
  await closed;
});
