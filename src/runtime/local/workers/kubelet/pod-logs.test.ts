import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, test } from 'node:test';
import { type Pod, PodLogs } from './pod-logs.ts';

let directory: string;
let logs: PodLogs;
beforeEach((t) => {
  directory = mkdtempSync(path.join(tmpdir(), 'cw-pods-'));
  logs = new PodLogs(directory);
  (t as { after?(undo: () => void): void }).after?.(() => rmSync(directory, { recursive: true, force: true }));
});

const pod = (name: string, uid: string, phase = 'Running'): Pod => ({
  metadata: { name, namespace: 'default', uid },
  spec: { nodeName: 'shop-1', containers: [{ name: 'main' }, { name: 'side' }] },
  status: { phase },
});

test('each container of a pod that started has a log of its own', () => {
  logs.keep([pod('web', '1')]);
  assert.match(readFileSync(logs.fileOf('default', 'web', 'main') ?? '', 'utf8'), /stdout F web is on shop-1.* main /);
  assert.notEqual(logs.fileOf('default', 'web', 'main'), logs.fileOf('default', 'web', 'side'));
});

test('a pod that has not started says nothing', () => {
  logs.keep([pod('web', '1', 'Pending')]);
  assert.equal(logs.fileOf('default', 'web', 'main'), undefined);
});

test('what was said stays while the pod is there, and goes with it', () => {
  logs.keep([pod('web', '1')]);
  const before = readFileSync(logs.fileOf('default', 'web', 'main') ?? '', 'utf8');
  logs.keep([pod('web', '1')]);
  assert.equal(readFileSync(logs.fileOf('default', 'web', 'main') ?? '', 'utf8'), before);
  logs.keep([]);
  assert.equal(logs.fileOf('default', 'web', 'main'), undefined);
  assert.deepEqual(readdirSync(directory), []);
});

test('a new pod of the same name does not show what the old one said', () => {
  logs.keep([pod('web', '1')]);
  const old = logs.fileOf('default', 'web', 'main');
  logs.keep([pod('web', '2')]);
  assert.notEqual(logs.fileOf('default', 'web', 'main'), old);
});

test('names from outside lead nowhere else', () => {
  logs.keep([pod('web', '1')]);
  for (const container of ['../main', '../../address', 'main/../main', ''])
    assert.ok([undefined, logs.fileOf('default', 'web', 'main')].includes(logs.fileOf('default', 'web', container)));
  assert.equal(logs.fileOf('..', 'web', 'main'), undefined);
});
