import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { localDial } from '../wire/dial.ts';
import { createTransport, type Dialer, type Transport } from './transport.ts';

/** A gateway that hangs up on everybody, and how often it was asked. */
async function unwilling(t: TestContext) {
  const asked: string[] = [];
  const server = createServer((socket: Socket) => {
    socket
      .on('error', () => {})
      .once('data', (chunk: Buffer) => {
        asked.push(chunk.toString('latin1', 0, 3));
        socket.destroy();
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return { asked, port: (server.address() as { port: number }).port };
}

const dialer =
  (alpn?: string): Dialer =>
  ({ host, port }, done) =>
    localDial(host, port, 2_000, (error, wire) =>
      done(error, wire && { wire, ...(alpn === undefined ? {} : { alpn }) }),
    );

function transportTo(t: TestContext, port: number, alpn?: string): Transport {
  const gateways = [{ host: '127.0.0.1', port }];
  const own = createTransport({ gateways, dialer: dialer(alpn), protocol: 'auto', random: () => 1 });
  t.after(() => own.close());
  return own;
}
const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('a gateway that hangs up on both protocols is asked for both at once, and then after pauses', async (t) => {
  const { asked, port } = await unwilling(t);
  const own = transportTo(t, port);
  const refused = new Promise((resolve) => own.open('x:1', (error) => resolve(error?.message)));
  await pass(1_500);
  assert.deepEqual(asked.slice(0, 2), ['CAU', 'PRI']);
  assert.ok(asked.length <= 10, `asked ${asked.length} times`);
  assert.match(own.state.gateways[0]?.problem ?? '', /closes connections/);
  assert.match(String(await refused), /closes connections/);
});

for (const alpn of ['h2', 'causeway/1'])
  test(`a gateway that agrees on ${alpn} and hangs up is not asked all the time`, async (t) => {
    const { asked, port } = await unwilling(t);
    transportTo(t, port, alpn);
    await pass(1_500);
    assert.ok(asked.length >= 1 && asked.length <= 10, `asked ${asked.length} times`);
  });
