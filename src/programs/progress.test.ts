import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { progressTo } from './progress.ts';

function output(
  isTTY: boolean,
  columns = 80,
): { written: string[]; isTTY: boolean; columns: number; write: (text: string) => void } {
  const written: string[] = [];
  return { written, isTTY, columns, write: (text) => written.push(text) };
}

test('in a log every stage is one line, whatever number of steps it has', () => {
  const log = output(false);
  const progress = progressTo(log, {});
  for (let packages = 1; packages < 100; packages++) progress.step('etcd 3.7.3', 'compiling', `${packages} packages`);
  progress.note('etcd 3.7.3: built.');
  assert.deepEqual(log.written, ['causeway: etcd 3.7.3: compiling\n', 'causeway: etcd 3.7.3: built.\n']);
});

test('CI gets plain lines even if it pretends to be a terminal', () => {
  const terminal = output(true);
  progressTo(terminal, { CI: 'true' }).step('etcd 3.7.3', 'compiling');
  assert.deepEqual(terminal.written, ['causeway: etcd 3.7.3: compiling\n']);
});

test('on a terminal one line rewrites itself, fits, and is gone in the end', async () => {
  const terminal = output(true, 40);
  const progress = progressTo(terminal, {});
  progress.step('kube-apiserver 1.36.3', 'compiling', '312 packages');
  await sleep(250);
  progress.rest();
  assert.ok(terminal.written.length > 1);
  for (const line of terminal.written) {
    assert.ok(line.startsWith('\r\x1b[K') && !line.includes('\n'));
    assert.ok(line.length - 4 < 40);
  }
  assert.equal(terminal.written.at(-1), '\r\x1b[K');
});

test('a sentence on a terminal stays above the line that rewrites itself', () => {
  const terminal = output(true);
  const progress = progressTo(terminal, {});
  progress.step('kubectl 1.36.3', 'compiling');
  progress.note('etcd 3.7.3: built.');
  progress.rest();
  assert.ok(terminal.written.join('').includes('\r\x1b[Kcauseway: etcd 3.7.3: built.\n\r\x1b[Kcauseway: kubectl'));
});
