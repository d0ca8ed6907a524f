import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, test } from 'node:test';
import { type LogQuery, logLine, type Pod, PodLogs, readLogQuery, sendLog, shownLines } from './pod-logs.ts';

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

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const all = [1, 2, 3].map((second) => logLine(`line ${second}`, at(second))).join('');

function logFile(t: { after(undo: () => void): void }, text: string | Buffer): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'cw-log-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'main.log');
  writeFileSync(file, text);
  return file;
}

async function read(file: string, query: Partial<LogQuery>, signal = new AbortController().signal): Promise<string> {
  const said: string[] = [];
  await sendLog(file, { timestamps: false, follow: false, ...query }, (text) => said.push(text), signal);
  return said.join('');
}

test('shows what was said, without the marks of the runtime', async (t) => {
  assert.equal(await read(logFile(t, all), {}), 'line 1\nline 2\nline 3\n');
});

test('shows the last lines, those since a time, so many bytes, and times', async (t) => {
  const file = logFile(t, all);
  assert.equal(await read(file, { tailLines: 1 }), 'line 3\n');
  assert.equal(await read(file, { tailLines: 9 }), 'line 1\nline 2\nline 3\n');
  assert.equal(await read(file, { tailLines: 0 }), '');
  assert.equal(await read(file, { since: at(2).getTime() }), 'line 2\nline 3\n');
  assert.equal(await read(file, { limitBytes: 4 }), 'line');
  assert.equal(await read(file, { tailLines: 1, timestamps: true }), '2026-01-01T00:00:03.000Z line 3\n');
});

test('joins a line that came in parts, and leaves out what is no line', () => {
  const time = at(1).toISOString();
  const parts = `${time} stdout P half-\n${time} stderr F whole\nnonsense\n`;
  assert.equal(shownLines(parts, { timestamps: false }).join(''), 'half-whole\n');
});

test('goes on with what follows until the reader leaves', async (t) => {
  const file = logFile(t, all);
  const leaving = new AbortController();
  let said = '';
  const reading = sendLog(
    file,
    { tailLines: 1, timestamps: false, follow: true },
    (text) => {
      said += text;
      if (said.includes('later')) leaving.abort();
    },
    leaving.signal,
  );
  appendFileSync(file, logLine('later'));
  await reading;
  assert.equal(said, 'line 3\nlater\n');
});

test('loses nothing of what follows a line that is not finished yet, or not text', async (t) => {
  const [begin, rest] = logLine('in two').split('two');
  const file = logFile(t, Buffer.concat([Buffer.from(all), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(begin ?? '')]));
  const leaving = new AbortController();
  let said = '';
  const listen = (text: string): void => {
    said += text;
    if (said.includes('later')) leaving.abort();
  };
  const reading = sendLog(file, { timestamps: false, follow: true }, listen, leaving.signal);
  appendFileSync(file, `two${rest}${logLine('later')}`);
  await reading;
  assert.equal(said, 'line 1\nline 2\nline 3\nin two\nlater\n');
});

test('ends when the pod and its log are gone', async (t) => {
  const file = logFile(t, all);
  const reading = read(file, { follow: true });
  rmSync(file);
  assert.match(await reading, /line 3/);
});

test('takes numbers as they are asked for, and refuses what is none', () => {
  const query = (text: string) => readLogQuery(new URLSearchParams(text), 100_000);
  assert.deepEqual(query('tailLines=5&follow=true'), { tailLines: 5, timestamps: false, follow: true });
  assert.deepEqual(query('sinceSeconds=40'), { since: 60_000, timestamps: false, follow: false });
  for (const wrong of ['tailLines=many', 'limitBytes=-1', 'sinceTime=never'])
    assert.equal(query(wrong), undefined, wrong);
});
