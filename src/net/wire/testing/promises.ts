// What every kind of wire promises; each test file runs them over its own kind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { localDial } from '../dial.ts';
import { listen } from '../listen.ts';
import { type Meter, type Splice, splice } from '../splice.ts';
import type { Wire } from '../wire.ts';

export const dialled = (address: string, port: number): Promise<Wire> =>
  new Promise((resolve, reject) => {
    localDial(address, port, 2000, (error, wire) => (wire === undefined ? reject(error) : resolve(wire)));
  });

interface Relay {
  readonly port: number;
  readonly meter: Meter;
  readonly splices: Splice[];
  readonly done: Promise<Error | undefined>;
}

/** A port whose connections are carried to another one. */
export async function relayTo(t: TestContext, port: number, address = '127.0.0.1'): Promise<Relay> {
  const meter = { sent: 0, received: 0 };
  const splices: Splice[] = [];
  let ended: (error?: Error) => void;
  const done = new Promise<Error | undefined>((resolve) => {
    ended = resolve;
  });
  const listener = await listen(address, 0, (client) => {
    localDial(address, port, 2000, (_, backend) => {
      if (backend === undefined) client.destroy(true);
      else splices.push(splice(client, backend, meter, (error) => ended(error)));
    });
  });
  t.after(() => {
    listener.close();
    for (const joint of splices) joint.destroy();
  });
  return { port: listener.local.port, meter, splices, done };
}

export async function serve(t: TestContext, onSocket: (socket: Socket) => void, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  }).listen(0, host);
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as { port: number }).port;
}

async function allOf(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
const sum = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
const opened = async (t: TestContext, port: number, host = '127.0.0.1'): Promise<Socket> => {
  const socket = connect({ port, host, allowHalfOpen: true });
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
};

/** A port of a program that never accepts, and whose queue is full: the kernel leaves further attempts unanswered. */
async function fullPort(t: TestContext): Promise<number> {
  const script =
    'import socket,time; s=socket.create_server(("127.0.0.1",0),backlog=0); print(s.getsockname()[1],flush=True); time.sleep(60)';
  const program = spawn('python3', ['-c', script]);
  t.after(() => program.kill());
  const [line] = (await once(program.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  await opened(t, port);
  return port;
}

export function describeWires(kind: string): void {
  describe(`a splice over ${kind}`, () => {
    it('carries 32 MiB each way untouched, and counts them', async (t) => {
      const data = randomBytes(32 * 1024 * 1024);
      const relay = await relayTo(t, await serve(t, (socket) => socket.pipe(socket)));
      const client = await opened(t, relay.port);
      client.end(data);
      assert.equal(sum(await allOf(client)), sum(data));
      assert.equal(await relay.done, undefined);
      assert.deepEqual(relay.meter, { sent: data.length, received: data.length });
    });

    it('keeps connections apart that are busy at the same time', async (t) => {
      const relay = await relayTo(t, await serve(t, (socket) => socket.pipe(socket)));
      const one = async (index: number): Promise<void> => {
        const client = await opened(t, relay.port);
        const data = randomBytes(10_000 * (index + 1));
        for (let at = 0; at < data.length; at += 7000) client.write(data.subarray(at, at + 7000));
        client.end();
        assert.equal(sum(await allOf(client)), sum(data));
      };
      await Promise.all(Array.from({ length: 40 }, (_, index) => one(index)));
    });

    it('lets one side end while the other goes on', async (t) => {
      const port = await serve(t, (socket) => {
        socket.on('end', () => socket.end('after the end')).resume();
      });
      const client = await opened(t, (await relayTo(t, port)).port);
      client.end('hello');
      assert.equal((await allOf(client)).toString(), 'after the end');
    });

    it('does not read faster than the other side takes', async (t) => {
      const port = await serve(t, (socket) => socket.pause());
      const relay = await relayTo(t, port);
      const client = await opened(t, relay.port);
      const chunk = Buffer.alloc(1024 * 1024);
      let wrote = 0;
      while (wrote < 200 && client.write(chunk)) wrote += 1;
      const deadline = performance.now() + 400;
      while (performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
      const before = relay.meter.sent;
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.equal(relay.meter.sent, before);
    });

    it('tells the client when the backend breaks off', async (t) => {
      const port = await serve(t, (socket) => {
        socket.once('data', () => socket.resetAndDestroy());
      });
      const relay = await relayTo(t, port);
      const client = await opened(t, relay.port);
      client.write('x');
      client.resume();
      await new Promise((resolve) => client.on('close', resolve));
      assert.equal(((await relay.done) as NodeJS.ErrnoException).code, 'ECONNRESET');
    });

    it('ends both sides when it is destroyed', async (t) => {
      let backendClosed: Promise<unknown> | undefined;
      const port = await serve(t, (socket) => {
        backendClosed = once(socket.resume(), 'close');
        socket.on('end', () => socket.end());
      });
      const relay = await relayTo(t, port);
      const client = await opened(t, relay.port);
      client.write('x');
      while (relay.meter.sent === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      for (const joint of relay.splices) joint.destroy();
      client.on('end', () => client.end()).resume();
      await Promise.all([once(client, 'close'), backendClosed]);
      assert.equal(await relay.done, undefined);
    });

    it('works over IPv6 and knows both addresses', async (t) => {
      const port = await serve(t, (socket) => socket.end('six'), '::1');
      const client = await opened(t, (await relayTo(t, port, '::1')).port, '::1');
      assert.equal((await allOf(client)).toString(), 'six');
    });
  });

  describe(`dialling over ${kind}`, () => {
    it('says why nobody answers', async () => {
      const listener = await listen('127.0.0.1', 0, () => {});
      const { port } = listener.local;
      listener.close();
      await assert.rejects(dialled('127.0.0.1', port), {
        code: 'ECONNREFUSED',
        message: new RegExp(`127.0.0.1:${port}`),
      });
    });

    it('gives up after its time', async (t) => {
      const port = await fullPort(t);
      const attempt = new Promise((_, reject) => {
        localDial('127.0.0.1', port, 100, (error) => reject(error));
      });
      await assert.rejects(attempt, { code: 'ETIMEDOUT' });
    });

    it('is silent once abandoned', async (t) => {
      const port = await serve(t, () => {});
      const abandon = localDial('127.0.0.1', port, 1000, () => assert.fail('called'));
      abandon();
      await new Promise((resolve) => setTimeout(resolve, 50));
    });

    it('knows who is on the other side', async (t) => {
      const port = await serve(t, () => {});
      const wire = await dialled('127.0.0.1', port);
      t.after(() => wire.destroy());
      assert.deepEqual(wire.remote, { address: '127.0.0.1', port });
      assert.equal(wire.local.address, '127.0.0.1');
    });
  });
}
