import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { inotifyInstances, inotifySettingFor, inotifyShortage } from './inotify.ts';

test('counts the instances that programs of this user hold', { skip: process.platform !== 'linux' }, (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-inotify-'));
  const before = inotifyInstances();
  const watcher = watch(directory);
  t.after(() => {
    watcher.close();
    rmSync(directory, { recursive: true });
  });
  const used = inotifyInstances()?.used ?? 0;
  assert.ok(before !== undefined && before.limit > 0);
  assert.ok(used >= 1, `${used} instances`);
});

test('says how many are missing, and a setting that is enough', () => {
  assert.equal(inotifyShortage(8, { limit: 128, used: 120 }), undefined);
  const shortage = inotifyShortage(12, { limit: 128, used: 120 });
  assert.match(shortage?.message ?? '', /^12 more inotify instances are needed, and 120 of the 128 /);
  assert.match(shortage?.fix ?? '', /sysctl -w fs\.inotify\.max_user_instances=512$/);
  assert.equal(inotifySettingFor(132), 'fs.inotify.max_user_instances=512');
});
