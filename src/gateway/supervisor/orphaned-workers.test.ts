import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { markServing, workersServe } from './orphaned-workers.ts';

const skip = process.platform === 'linux' ? false : 'abstract sockets are a thing of Linux';

test('a mark is seen by its admin address alone, and goes when it is removed', { skip }, async (t) => {
  const admin = `unix:/run/causeway-${process.pid}.sock`;
  assert.equal(workersServe(admin), false);
  const mark = markServing(admin);
  t.after(() => mark.remove());
  assert.equal(workersServe(admin), true);
  assert.equal(workersServe('127.0.0.1:9902'), false);
  assert.equal(workersServe(undefined), false);
  mark.remove();
  for (let tries = 0; tries < 1000 && workersServe(admin); tries += 1) await setTimeout(5);
  assert.equal(workersServe(admin), false);
});

test('a relative path is the same place as its absolute one', { skip }, (t) => {
  const mark = markServing(`unix:./causeway-${process.pid}.sock`);
  t.after(() => mark.remove());
  assert.equal(workersServe(`unix:${process.cwd()}/causeway-${process.pid}.sock`), true);
});
