import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { isRunning } from './is-running.ts';

test('a process that runs, runs', () => {
  assert.equal(isRunning(process.pid), true);
  assert.equal(isRunning(process.ppid), true);
});

test('a process that has ended does not run, whether or not somebody has asked how', async (t) => {
  // The shell becomes a program that never asks after the child it has inherited.
  const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => parent.kill());
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(said.toString());
  while (isRunning(child)) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.doesNotThrow(() => process.kill(child, 0), 'it is gone altogether, so nothing was tested');
  parent.kill();
  await once(parent, 'exit');
  assert.equal(isRunning(parent.pid ?? 0), false);
});
