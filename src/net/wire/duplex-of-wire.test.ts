import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { listening } from '../../../test/support/agent/mini-proxy.ts';
import { localDial } from './dial.ts';
import { duplexOfWire } from './duplex-of-wire.ts';
import type { Wire } from './wire.ts';

const dialled = (port: number): Promise<Wire> =>
  new Promise((resolve, reject) => {
    localDial('127.0.0.1', port, 1_000, (error, wire) => (wire === undefined ? reject(error) : resolve(wire)));
  });

test('a stream over a wire carries much both ways, and ends each way by itself', async (t) => {
  const server = createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => {}).pipe(socket));
  const stream = duplexOfWire(await dialled(await listening(t, server)));
  const sent = 'abcdefgh'.repeat(500_000);
  stream.end(sent);
  assert.equal((await text(stream)) === sent, true);
});

test('a stream over a wire that is reset fails', async (t) => {
  const server = createServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  const stream = duplexOfWire(await dialled(await listening(t, server)));
  stream.write('x');
  await assert.rejects(text(stream), /ECONNRESET|reset|aborted|Premature/i);
});
