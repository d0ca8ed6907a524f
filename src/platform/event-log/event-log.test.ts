import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openEventStore } from '../../runtime/local/index.ts';
import { silentLog } from '../../sys/log.ts';
import { openEventLog } from './event-log.ts';

test('who still listens when the platform ends learns nothing new, and is not hurt', (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-eventLog-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const eventLog = openEventLog(openEventStore(path.join(directory, 'history.db')), silentLog);
  eventLog.record({ kind: 'platform', level: 'info', subject: 'platform', message: 'it has stopped' });
  assert.equal(eventLog.read({ limit: 1 }).length, 1);
  eventLog.close();
  assert.deepEqual(eventLog.read({ limit: 1 }), []);
  eventLog.record({ kind: 'platform', level: 'info', subject: 'platform', message: 'too late for the history' });
});

test('a history that cannot be written is said in the log, and ends nothing', () => {
  const full = (): never => {
    throw new Error('database or disk is full');
  };
  const said: string[] = [];
  const warn = (message: string, fields = {}): void => void said.push(`${message} ${JSON.stringify(fields)}`);
  const eventLog = openEventLog({ add: full, read: () => [], close: () => {} }, { ...silentLog, warn });
  eventLog.onEvent(() => assert.fail('nothing was kept'));
  eventLog.record({ kind: 'platform', level: 'info', subject: 'platform', message: 'it works' });
  assert.deepEqual(said, ['the history cannot be written {"why":"database or disk is full"}']);
});
