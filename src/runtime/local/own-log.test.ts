import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { platformHome } from './home.ts';
import { logPathOf } from './launch.ts';
import { openOwnLog, ownLog } from './own-log.ts';

test('a full disk keeps the platform from its log, and from nothing else', (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-own-log-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const home = platformHome(directory);
  const file = logPathOf(home.state, ownLog);
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync('/dev/full', file);
  openOwnLog(home).warn('nobody will read this');
  assert.ok(statSync(file).isCharacterDevice());
});
