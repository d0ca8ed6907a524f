import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, type LogOptions } from './log.ts';

function written(options: LogOptions, use: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const stream = { write: (line: string) => (text += line) };
  use(createLog({ stream, now: () => new Date('2026-01-02T03:04:05.006Z'), ...options }));
  return text;
}

test('machines get one JSON object per line', () => {
  const text = written({ fields: { part: 'worker' } }, (log) => log.warn('no route\nfor it', { sni: 'a.example' }));
  assert.equal(text.split('\n').length, 2);
  assert.deepEqual(JSON.parse(text), {
    time: '2026-01-02T03:04:05.006Z',
    level: 'warn',
    message: 'no route\nfor it',
    part: 'worker',
    sni: 'a.example',
  });
});

test('no field can pose as the time, level or message of a line', () => {
  const text = written({}, (log) => log.error('real', { message: 'false', level: 'info', time: 'never' }));
  const line = JSON.parse(text) as { message: string; level: string };
  assert.deepEqual([line.message, line.level], ['real', 'error']);
});

test('people get a short line, without what is unknown', () => {
  const text = written({ human: true }, (log) => log.info('listening', { address: '[::1]:6443', cluster: undefined }));
  assert.match(text, /^\d\d:\d\d:\d\d info {2}listening address=\[::1\]:6443\n$/);
});

test('untrusted text cannot break the line or move the cursor', () => {
  const text = written({ human: true }, (log) => log.info('refused\u001b[2J', { sni: 'a\nb\u001b[2J\u009b' }));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  assert.doesNotMatch(text.trimEnd(), /[\u0000-\u001f\u007f-\u009f]/);
  assert.match(text, /sni="a\\nb\\u001b\[2J/);
});
