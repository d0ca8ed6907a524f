import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http2 from 'node:http2';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import tls from 'node:tls';
import { listen } from './listen.ts';
import { splice } from './splice.ts';
import { selfSigned } from './testing/certificate.ts';
import { dialled, serve } from './testing/promises.ts';
import { wireOfTls } from './tls-wire.ts';
import type { Sink, Wire } from './wire.ts';

const pair = selfSigned('gateway.test');
const meter = { sent: 0, received: 0 };
const sum = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

/** Reads the first chunk of a wire, then gives the wire away with that chunk in front. */
const peek = (wire: Wire, then: (socket: Socket) => void): void => {
  const sink: Sink = {
    data: (chunk) => {
      then(wire.toSocket(Buffer.from(chunk)));
      return false;
    },
    end: () => {},
    drained: () => {},
    closed: () => {},
  };
  wire.read(sink);
};

const echo = (wire: Wire): Sink => ({
  data: (chunk, room) => !wire.write(chunk, room),
  end: () => wire.end(),
  drained: () => wire.release(),
  closed: () => {},
});

/** TCP in, TLS to ourselves, TCP out: what an agent and a gateway do. */
async function tunnelTo(t: TestContext, backend: number): Promise<number> {
  const server = tls.createServer(pair, async (socket) => {
    const inner = wireOfTls(socket);
    splice(inner, await dialled('127.0.0.1', backend), meter, () => {});
  });
  const outer = await listen('127.0.0.1', 0, (wire) => peek(wire, (socket) => server.emit('connection', socket)));
  const entry = await listen('127.0.0.1', 0, (wire) => {
    const session = tls.connect({ port: outer.local.port, ca: pair.cert, servername: 'gateway.test' });
    session.on('error', () => wire.destroy(true));
    session.once('secureConnect', () => splice(wire, wireOfTls(session), meter, () => {}));
  });
  t.after(() => {
    outer.close();
    entry.close();
  });
  return entry.local.port;
}

async function echoed(t: TestContext, port: number, data: Buffer): Promise<string> {
  const client = connect({ port, allowHalfOpen: true });
  t.after(() => client.destroy());
  client.end(data);
  const chunks: Buffer[] = [];
  for await (const chunk of client) chunks.push(chunk as Buffer);
  return sum(Buffer.concat(chunks));
}

describe('a wire over TLS', () => {
  it('carries 16 MiB each way untouched, and both ends', async (t) => {
    const port = await tunnelTo(t, await serve(t, (socket) => socket.pipe(socket)));
    const data = randomBytes(16 * 1024 * 1024);
    assert.equal(await echoed(t, port, data), sum(data));
  });

  it('keeps sessions apart that are busy at the same time', async (t) => {
    const port = await tunnelTo(t, await serve(t, (socket) => socket.pipe(socket)));
    const all = Array.from({ length: 20 }, (_, index) => randomBytes(50_000 * (index + 1)));
    const sums = await Promise.all(all.map((data) => echoed(t, port, data)));
    assert.deepEqual(sums, all.map(sum));
  });

  it('waits for a slow reader and loses nothing', async (t) => {
    const data = randomBytes(8 * 1024 * 1024);
    const port = await tunnelTo(t, await serve(t, (socket) => socket.end(data)));
    const client = connect({ port });
    t.after(() => client.destroy());
    const hash = createHash('sha256');
    for await (const chunk of client) {
      hash.update(chunk as Buffer);
      if (Math.random() < 0.05) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(hash.digest('hex'), sum(data));
  });

  it('loses nothing that came with the end of the handshake, before anybody read', async (t) => {
    const server = tls.createServer(pair, (socket) => {
      const wire = wireOfTls(socket);
      setTimeout(() => wire.read(echo(wire)), 20);
    });
    const outer = await listen('127.0.0.1', 0, (wire) => peek(wire, (socket) => server.emit('connection', socket)));
    t.after(() => outer.close());
    const clients = Array.from({ length: 20 }, async () => {
      const client = tls.connect({
        port: outer.local.port,
        host: '127.0.0.1',
        ca: pair.cert,
        servername: 'gateway.test',
      });
      // Written before the handshake: goes out in the same segment as the client's last handshake message.
      client.end('early');
      const chunks: Buffer[] = [];
      for await (const chunk of client) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    });
    assert.deepEqual(new Set(await Promise.all(clients)), new Set(['early']));
  });

  it('passes a full record on although no other follows it', async (t) => {
    const record = randomBytes(16 * 1024);
    const port = await tunnelTo(t, await serve(t, (socket) => socket.write(record)));
    const client = connect({ port });
    t.after(() => client.destroy());
    const chunks: Buffer[] = [];
    for await (const chunk of client) {
      chunks.push(chunk as Buffer);
      if (Buffer.concat(chunks).length === record.length) break;
    }
    assert.equal(sum(Buffer.concat(chunks)), sum(record));
  });

  it('tells the other end when one breaks off', async (t) => {
    const port = await tunnelTo(t, await serve(t, (socket) => socket.once('data', () => socket.resetAndDestroy())));
    const client = connect({ port }).on('error', () => {});
    client.write('x');
    await new Promise((resolve) => client.on('close', resolve).resume());
  });
});

describe('a wire that turns into a socket', () => {
  it('can be given to an HTTP/2 server after its first bytes were read', async (t) => {
    const server = http2.createServer().on('stream', (stream) => {
      stream.respond({ ':status': 200 });
      stream.end('hello');
    });
    const listener = await listen('127.0.0.1', 0, (wire) => peek(wire, (socket) => server.emit('connection', socket)));
    const session = http2.connect(`http://127.0.0.1:${listener.local.port}`);
    t.after(() => {
      session.destroy();
      listener.close();
    });
    const request = session.request({ ':path': '/' });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(request, 'end');
    assert.equal(Buffer.concat(chunks).toString(), 'hello');
  });
});
