import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log, LogFields } from '../../sys/log.ts';
import { WorkerLog } from './worker-log.ts';

function logging() {
  const lines: [string, LogFields][] = [];
  const add = (message: string, fields: LogFields = {}): void => void lines.push([message, fields]);
  const log: Log = { info: add, warn: add, error: add };
  return { log: new WorkerLog(log), lines, counts: () => lines.map(([, { count }]) => count) };
}

const refused = (refusal: string, count: number, cluster?: string) =>
  ({ level: 'warn', message: 'No.', fields: { refusal, count, cluster, listener: 'sni' } }) as const;

test('what all workers refuse for the same reason is one line at once and one per interval, and adds up', () => {
  const { log, counts } = logging();
  for (const worker of [1, 2, 3, 4]) log.say(worker, refused('no-sni', 1), 0);
  assert.deepEqual(counts(), [1]);
  log.tick(9_999);
  assert.deepEqual(counts(), [1]);
  log.tick(10_000);
  assert.deepEqual(counts(), [1, 3]);
  for (const worker of [1, 2, 3, 4]) log.say(worker, refused('no-sni', 250), 10_001);
  log.tick(20_000);
  assert.deepEqual(counts(), [1, 3, 1000]);
  log.tick(30_000);
  log.say(1, refused('no-sni', 1), 30_001);
  assert.deepEqual(counts(), [1, 3, 1000, 1], 'a quiet reason is new again');
});

test('other reasons and other clusters are told apart', () => {
  const { log, lines } = logging();
  log.say(1, refused('too-fast', 1, 'a'), 0);
  log.say(2, refused('too-fast', 1, 'b'), 0);
  log.say(2, refused('no-backend', 1, 'b'), 0);
  assert.equal(lines.length, 3);
});

test('everything else is told as it comes, with the worker that said it', () => {
  const { log, lines } = logging();
  for (const worker of [7, 8]) log.say(worker, { level: 'error', message: 'no certificate' }, 0);
  assert.deepEqual(lines, [
    ['no certificate', { worker: 7 }],
    ['no certificate', { worker: 8 }],
  ]);
});
