import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { H2Tunnel } from './h2-tunnel.ts';
import { ofAllTunnels, ResetLimiter } from './reset-limiter.ts';
import type { TunnelContext, TunnelPeer } from './tunnel.ts';

test('may be asked anything at any moment of its end', { timeout: 30_000 }, async (t) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const client = connect(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  client.on('error', () => {});
  t.after(() => client.destroy());
  const [socket] = (await once(server, 'connection')) as [Socket];
  let ends = 0;
  const tunnel = new H2Tunnel(
    socket,
    {} as TunnelPeer,
    context(() => {
      ends += 1;
    }),
  );
  await once(client, 'remoteSettings');
  // Node ends the session with its socket, and says so a moment later.
  socket.once('close', () => {
    assert.equal(ends, 0, 'it was said already, so nothing is tested');
    for (let ticks = 0; ticks < 6; ticks += 1) tunnel.tick();
    tunnel.drain();
  });
  socket.destroy();
  while (ends === 0) await turn();
  assert.equal(ends, 1);
});

function context(ended: () => void): TunnelContext {
  const clock = (): number => performance.now();
  const resets = new ResetLimiter(ofAllTunnels, clock);
  return {
    streamsPerSession: 10,
    clock,
    resets,
    authenticated: () => {},
    ended,
  } as Partial<TunnelContext> as TunnelContext;
}
