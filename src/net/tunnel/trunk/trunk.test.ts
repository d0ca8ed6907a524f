import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TunnelRefused } from '../errors.ts';
import { PatternSink, pattern, writePattern } from '../testing/pattern.ts';
import { limit, pair, soon } from './testing/trunk-pair.ts';
import { largestWindow, streamWindow } from './trunk-wire.ts';

const good = (sink: PatternSink, length: number): void => {
  assert.equal(sink.error, undefined);
  assert.equal(sink.wrongAt, -1);
  assert.equal(sink.received, length);
};

test('carries 20 connections with up to 10 MiB each way at once, without changing a byte', limit, async (t) => {
  const { client, far } = await pair(t);
  const one = async (index: number): Promise<void> => {
    const length = index === 0 ? 10 * 1024 * 1024 : 100_000 * index;
    const piece = [60_000, 700_000, 1000, 16_384, 2_000_000][index % 5] as number;
    const near = client.open('somewhere:443', undefined);
    const [nearSink, farSink] = [new PatternSink(index), new PatternSink(index + 1)];
    near.read(nearSink);
    writePattern(near, nearSink, length, index + 1, piece);
    const other = await far(index);
    other.read(farSink);
    writePattern(other, farSink, length, index, piece);
    await Promise.all([nearSink.over, farSink.over]);
    good(nearSink, length);
    good(farSink, length);
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => one(index)));
  assert.equal(client.carried, 0);
});

test('each direction ends by itself', limit, async (t) => {
  const { client, far } = await pair(t);
  const near = client.open('somewhere:443', undefined);
  const [nearSink, farSink] = [new PatternSink(1), new PatternSink(2)];
  near.read(nearSink);
  near.end();
  const other = await far(0);
  other.read(farSink);
  await farSink.finished;
  writePattern(other, farSink, 1_000_000, 1);
  await nearSink.over;
  good(nearSink, 1_000_000);
});

test('readers that stall hold up nobody else, and cost a window each', limit, async (t) => {
  const { client, far } = await pair(t);
  const stalled = 100;
  let written = 0;
  for (let index = 0; index < stalled; index += 1) {
    const near = client.open('stalled', undefined);
    near.pause();
    near.read(new PatternSink(0));
    const other = await far(index);
    const sink = new PatternSink(0);
    other.read(sink);
    const fill = (): void => {
      for (let more = true; more; ) {
        written += 65_536;
        more = other.write(pattern(0, 65_536, 0), 0);
      }
    };
    sink.onDrained = fill;
    fill();
  }
  const near = client.open('busy', undefined);
  const nearSink = new PatternSink(3);
  near.read(nearSink);
  const other = await far(stalled);
  const farSink = new PatternSink(4);
  other.read(farSink);
  writePattern(other, farSink, 20_000_000, 3);
  near.end();
  await nearSink.over;
  good(nearSink, 20_000_000);
  assert.ok(written <= stalled * (streamWindow + 2 * 65_536), `${written} bytes for readers that do not read`);
});

test('the window of a reader that keeps up grows, to a limit', limit, async (t) => {
  const { client, far } = await pair(t);
  const near = client.open('fast', undefined);
  const nearSink = new PatternSink(0);
  near.read(nearSink);
  const other = await far(0);
  const sink = new PatternSink(0);
  other.read(sink);
  let written = 0;
  const fill = (): void => {
    for (let more = true; more && written < 64 * 1024 * 1024; ) {
      more = other.write(pattern(written, 65_536, 0), 0);
      written += 65_536;
    }
  };
  sink.onDrained = fill;
  fill();
  while (nearSink.received < 16 * 1024 * 1024) await soon();
  near.pause();
  const read = nearSink.received;
  for (let before = -1; before < written; ) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const waiting = written - read;
  assert.ok(waiting > 2 * streamWindow && waiting <= largestWindow + 2 * 65_536, `${waiting} bytes wait`);
  near.resume();
  while (nearSink.received < 64 * 1024 * 1024) await soon();
  assert.equal(nearSink.wrongAt, -1);
});

test('a reader that was slow gets everything in the end', limit, async (t) => {
  const { client, far } = await pair(t);
  const near = client.open('somewhere:443', undefined);
  const nearSink = new PatternSink(1);
  near.pause();
  near.read(nearSink);
  const other = await far(0);
  const farSink = new PatternSink(2);
  other.read(farSink);
  writePattern(other, farSink, 3_000_000, 1);
  const wave = setInterval(() => {
    near.resume();
    setImmediate(() => near.pause());
  }, 2);
  t.after(() => clearInterval(wave));
  near.end();
  await nearSink.over;
  good(nearSink, 3_000_000);
});

test('a refusal ends the connection with its code, and the others stay', limit, async (t) => {
  const { client, far } = await pair(t);
  client.open('stays', undefined).read(new PatternSink(0));
  await far(0);
  const refused = client.open('no', undefined);
  const sink = new PatternSink(1);
  refused.read(sink);
  refused.write(Buffer.from('too early'), 0);
  await sink.over;
  assert.ok(sink.error instanceof TunnelRefused);
  assert.equal(sink.error.refusal, 'unknown-authority');
  assert.equal(client.carried, 1);
});

test('a reset by either side ends that connection only', limit, async (t) => {
  const { client, far, servers } = await pair(t);
  for (let round = 0; round < 40; round += 1) {
    const near = client.open('somewhere:443', undefined);
    const [nearSink, farSink] = [new PatternSink(1), new PatternSink(2)];
    near.read(nearSink);
    const other = await far(round);
    other.read(farSink);
    writePattern(other, farSink, 4 * 1024 * 1024, 1);
    while (nearSink.received < 50_000 * round) await soon();
    const [breaks, hears] = round % 2 === 0 ? [near, farSink] : [other, nearSink];
    breaks.destroy(true);
    await hears.over;
    assert.equal((hears.error as NodeJS.ErrnoException).code, 'ECONNRESET');
  }
  assert.equal(client.lost, false);
  assert.equal(client.carried, 0);
  while (servers[0]?.carried !== 0) await soon();
});

test('greets with its credentials, and hears pongs', limit, async (t) => {
  const { client, heard, servers } = await pair(t, 'a token');
  client.ping();
  while (heard.length < 2) await soon();
  assert.deepEqual(heard, ['welcome', 'pong']);
  assert.equal(servers[0]?.credentials, 'a token');
  assert.deepEqual((await pair(t, 'bad')).heard, ['bad-token']);
});

test('a trunk that is told to go away ends with its last connection, not before', limit, async (t) => {
  const { client, far, lost, servers } = await pair(t);
  const near = client.open('somewhere:443', undefined);
  const [nearSink, farSink] = [new PatternSink(1), new PatternSink(2)];
  near.read(nearSink);
  const other = await far(0);
  other.read(farSink);
  servers[0]?.drain();
  while (!client.leaving) await soon();
  assert.equal(client.hasRoom, false);
  writePattern(near, nearSink, 1_000_000, 2);
  writePattern(other, farSink, 1_000_000, 1);
  await Promise.all([nearSink.over, farSink.over]);
  good(nearSink, 1_000_000);
  good(farSink, 1_000_000);
  assert.equal(await lost, undefined);
});

test('the last bytes on a trunk that is told to go away arrive, however slow their reader', limit, async (t) => {
  const { client, far, lost, servers } = await pair(t);
  const near = client.open('somewhere:443', undefined);
  const [nearSink, farSink] = [new PatternSink(1), new PatternSink(2)];
  near.read(nearSink);
  const other = await far(0);
  other.pause();
  other.read(farSink);
  servers[0]?.drain();
  other.end();
  await nearSink.finished;
  const length = streamWindow - 1000;
  writePattern(near, nearSink, length, 2);
  assert.equal(await lost, undefined);
  other.resume();
  await farSink.over;
  good(farSink, length);
});

test('connections of a trunk that is lost are reset', limit, async (t) => {
  const { client, far, servers } = await pair(t);
  const sink = new PatternSink(1);
  client.open('somewhere:443', undefined).read(sink);
  await far(0);
  servers[0]?.close();
  await sink.over;
  assert.equal((sink.error as NodeJS.ErrnoException).code, 'ECONNRESET');
});
