import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type FrameType, frameTypes, headerBytes, trunkPreface, writeHeader } from './frame.ts';
import { limit, server } from './testing/trunk-pair.ts';
import { streamWindow } from './trunk-wire.ts';

test('whatever breaks the protocol is closed', limit, async (t) => {
  const { port } = await server(t);
  const frame = (type: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer => {
    const header = Buffer.alloc(headerBytes);
    writeHeader(header, 0, type as FrameType, payload.length, stream);
    return Buffer.concat([header, payload]);
  };
  const open = frame(frameTypes.open, 1, Buffer.from([0, 1, 97]));
  const flood = Array.from({ length: 9 }, () => frame(frameTypes.data, 1, Buffer.alloc(streamWindow / 8)));
  const bad = {
    'another preface': [Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    'an unknown type': [trunkPreface, frame(77, 0)],
    'a number that was used': [trunkPreface, open, open],
    'more data than was allowed': [trunkPreface, open, ...flood],
    'more credit than there is': [trunkPreface, open, frame(frameTypes.credit, 1, Buffer.from([1, 0, 0, 0]))],
    'two ends': [trunkPreface, open, frame(frameTypes.end, 1), frame(frameTypes.end, 1)],
    'an answer': [trunkPreface, frame(frameTypes.opened, 0)],
  };
  for (const [name, bytes] of Object.entries(bad)) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(Buffer.concat(bytes));
    await once(socket.resume(), 'close', { signal: AbortSignal.timeout(5000) }).catch((error: Error) => {
      if (error.name === 'AbortError') assert.fail(name);
    });
  }
});
