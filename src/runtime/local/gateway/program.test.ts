import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { scratchDirectory } from '../testing/place.ts';
import { programDigest } from './program.ts';

test('a program is another one when a source that gateways load has changed, and not for a test or another room', (t) => {
  const root = scratchDirectory(t);
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  for (const room of ['core', 'sys', 'net', 'gateway']) write(`${room}/a.ts`, room);
  const before = programDigest(root);
  write('gateway/a.test.ts', 'a test');
  write('platform/a.ts', 'another room');
  assert.equal(programDigest(root), before);
  write('net/tunnel/b.ts', '');
  const added = programDigest(root);
  assert.notEqual(added, before);
  write('net/tunnel/b.ts', 'b');
  assert.notEqual(programDigest(root), added);
});
