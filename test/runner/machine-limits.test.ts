import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inotifyLimit } from '../../src/sys/inotify.ts';
import { raiseLimits, readMachine, shortages } from './machine-limits.ts';

const reading = { what: 'inotify instances', limit: 128, spare: 16, raise: 'Raise it: sysctl -w x=1024' };

test('a resource that is nearly used up is named, with how many there are and how to raise it', () => {
  assert.deepEqual(shortages([{ ...reading, used: 112 }]), []);
  assert.deepEqual(shortages([{ ...reading, used: 113 }]), [
    'this machine is short of inotify instances: 113 of 128 in use. Raise it: sysctl -w x=1024',
  ]);
});

test('the machine is read: inotify instances, descriptors, ports, memory, disk', {
  skip: process.platform !== 'linux',
}, () => {
  const readings = readMachine();
  assert.deepEqual(
    readings.map(({ what }) => what),
    ['inotify instances', 'file descriptors', 'local ports', 'memory (MiB)', 'disk space (MiB)'],
  );
  // A setting of the kernel may be lowered below what is in use, as at the end of another run of the tests.
  const lowered = ['inotify instances', 'file descriptors'];
  for (const { what, used, limit } of readings)
    assert.ok(used >= 0 && limit > 0 && (used <= limit || lowered.includes(what)), `${what}: ${used}, ${limit}`);
});

test('a limit that was raised is put back', (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can raise it.');
  const before = inotifyLimit();
  const said: string[] = [];
  const restore = raiseLimits((sentence) => said.push(sentence));
  // Where this test is run by the suite, the suite has raised it already.
  if (said.length > 0) assert.match(said.join(), / was \d+ and is 1024 while tests run| cannot be raised/);
  restore();
  assert.equal(inotifyLimit(), before);
});
