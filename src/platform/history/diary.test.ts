import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../net/log.ts';
import { openDiary } from './diary.ts';
import { openHistory } from './history.ts';

test('who still listens when the platform ends learns nothing new, and is not hurt', (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-diary-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const diary = openDiary(openHistory(path.join(directory, 'history.db')), silentLog);
  diary.record({ kind: 'platform', level: 'info', subject: 'platform', message: 'it has stopped' });
  assert.equal(diary.read({ limit: 1 }).length, 1);
  diary.close();
  assert.deepEqual(diary.read({ limit: 1 }), []);
  diary.record({ kind: 'platform', level: 'info', subject: 'platform', message: 'too late for the history' });
});

test('a history that cannot be written is said in the log, and ends nothing', () => {
  const full = (): never => {
    throw new Error('database or disk is full');
  };
  const said: string[] = [];
  const warn = (message: string, fields = {}): void => void said.push(`${message} ${JSON.stringify(fields)}`);
  const diary = openDiary({ add: full, read: () => [], close: () => {} }, { ...silentLog, warn });
  diary.onEvent(() => assert.fail('nothing was kept'));
  diary.record({ kind: 'platform', level: 'info', subject: 'platform', message: 'it works' });
  assert.deepEqual(said, ['the history cannot be written {"why":"database or disk is full"}']);
});
