import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type FrameType,
  frameLimit,
  frameTypes,
  headerBytes,
  maximumData,
  openPayload,
  readOpen,
  readRefused,
  refusedPayload,
  writeHeader,
} from './frame.ts';
import { type FrameHandler, FrameReader } from './frame-reader.ts';

interface Seen {
  readonly type: number;
  readonly stream: number;
  payload: string;
}

class Collector implements FrameHandler {
  readonly seen: Seen[] = [];
  problem = '';
  part(stream: number, data: Buffer): void {
    const last = this.seen.at(-1);
    if (last?.type === frameTypes.data && last.stream === stream) last.payload += data.toString('latin1');
    else this.seen.push({ type: frameTypes.data, stream, payload: data.toString('latin1') });
  }
  frame(type: FrameType, stream: number, payload: Buffer): void {
    this.seen.push({ type, stream, payload: payload.toString('latin1') });
  }
  bad(why: string): void {
    this.problem = why;
  }
}

interface Frame {
  readonly type: FrameType;
  readonly stream: number;
  readonly payload: Uint8Array;
}

const frames: fc.Arbitrary<Frame[]> = fc.array(
  fc.constantFrom(...Object.values(frameTypes)).chain((type) =>
    fc.record({
      type: fc.constant(type),
      stream: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      payload: fc.uint8Array({ minLength: 0, maxLength: Math.min(40, frameLimit(type)) }),
    }),
  ),
  { maxLength: 12 },
);

function bytesOf(list: readonly Frame[]): Buffer {
  return Buffer.concat(
    list.map(({ type, stream, payload }) => {
      const frame = Buffer.alloc(headerBytes + payload.length);
      writeHeader(frame, 0, type, payload.length, stream);
      frame.set(payload, headerBytes);
      return frame;
    }),
  );
}

/** Consecutive data of one stream is one piece; empty data is nothing. */
function expected(list: readonly Frame[]): Seen[] {
  const collector = new Collector();
  for (const { type, stream, payload } of list) {
    if (type !== frameTypes.data) collector.frame(type, stream, Buffer.from(payload));
    else if (payload.length > 0) collector.part(stream, Buffer.from(payload));
  }
  return collector.seen;
}

test('reads the same frames wherever they are cut', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(frames, sizes, (list, lengths) => {
      const collector = new Collector();
      const reader = new FrameReader(collector);
      const bytes = bytesOf(list);
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = lengths[turn % lengths.length] as number;
        reader.push(Buffer.from(bytes.subarray(at, at + size)), 0);
        at += size;
      }
      assert.deepEqual(collector.seen, expected(list));
      assert.equal(collector.problem, '');
    }),
  );
});

test('room in front of data never reaches into the data before it', () => {
  fc.assert(
    fc.property(frames, fc.integer({ min: 0, max: 16 }), (list, room) => {
      const chunk = Buffer.concat([Buffer.alloc(room), bytesOf(list)]).subarray(room);
      let before = chunk.byteOffset - room;
      new FrameReader({
        part: (_stream, data, own) => {
          assert.ok(data.byteOffset - own >= before);
          before = data.byteOffset + data.length;
        },
        frame: () => {},
        bad: assert.fail,
      }).push(chunk, room);
    }),
  );
});

test('stops at a frame of unknown type, or one that is too long', () => {
  const limits: [number, number][] = [
    [0, 0],
    [11, 0],
    [255, 0],
    [frameTypes.data, maximumData + 1],
    [frameTypes.open, 8193],
    [frameTypes.end, 1],
  ];
  for (const [type, length] of limits) {
    const collector = new Collector();
    const header = Buffer.alloc(headerBytes + 20);
    writeHeader(header, 0, type as FrameType, length, 1);
    new FrameReader(collector).push(header, 0);
    assert.notEqual(collector.problem, '', `type ${type}, ${length} bytes`);
    assert.deepEqual(collector.seen, []);
  }
});

test('what is asked for and refused is read as it was written', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300 }),
      fc.option(fc.string({ minLength: 1, maxLength: 2000 })),
      (authority, token) => {
        const open = token === null ? { authority } : { authority, credentials: token };
        assert.deepEqual(readOpen(openPayload(open)), JSON.parse(JSON.stringify(open)));
      },
    ),
  );
  assert.deepEqual(readRefused(refusedPayload({ code: 'bad-token', sentence: 'Näh.' })), {
    code: 'bad-token',
    sentence: 'Näh.',
  });
});

test('a payload that is cut short is none', () => {
  const whole = openPayload({ authority: 'somewhere:443' });
  for (let length = 0; length < whole.length; length += 1) assert.equal(readOpen(whole.subarray(0, length)), undefined);
  assert.equal(readRefused(Buffer.alloc(0)), undefined);
  assert.equal(readRefused(Buffer.from([5, 97])), undefined);
});
