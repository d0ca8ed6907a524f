import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { areThere, keysOf, readKeys, writeKeys } from '../../../control-plane/backup/keys.ts';
import { ensurePki } from '../../../control-plane/pki/ensure-pki.ts';
import { homeIn, sampleInput, scratchDirectory } from '../../../control-plane/testing/input.ts';
import { passphraseOf } from './target.ts';

test('keys of a cluster come back as they were, and all else follows from them', async (t) => {
  const [first, second] = [homeIn(scratchDirectory(t)), homeIn(scratchDirectory(t))];
  const before = await ensurePki(sampleInput(first), { now: Date.now });
  const saved = keysOf(first.pki, undefined);
  assert.doesNotMatch(saved, /api-server\.key/, 'what can be made anew is in it');
  const keys = readKeys(saved, undefined);
  assert.equal(areThere(second.pki, keys), false);
  writeKeys(second.pki, keys);
  assert.equal(areThere(second.pki, keys), true);
  for (const file of readdirSync(second.pki))
    assert.equal(statSync(path.join(second.pki, file)).mode & 0o777, 0o600, file);
  const after = await ensurePki(sampleInput(second), { now: Date.now });
  const same = [
    [before.ca.cert, after.ca.cert],
    [before.encryption, after.encryption],
  ] as const;
  for (const [a, b] of same) assert.equal(readFileSync(b, 'utf8'), readFileSync(a, 'utf8'));
});

test('encrypted keys open with their passphrase only', async (t) => {
  const home = homeIn(scratchDirectory(t));
  await ensurePki(sampleInput(home), { now: Date.now });
  const sealed = keysOf(home.pki, 'correct horse');
  assert.doesNotMatch(sealed, /PRIVATE|secretbox|ca\.key/);
  assert.equal(areThere(home.pki, readKeys(sealed, 'correct horse')), true);
  assert.throws(() => readKeys(sealed, 'wrong horse'), { code: 'CW-BACKUP-PASSPHRASE' });
  assert.throws(() => readKeys(sealed, undefined), { code: 'CW-BACKUP-PASSPHRASE' });
  const damaged = JSON.parse(sealed) as { data: string };
  const turned = { ...damaged, data: `${damaged.data.slice(0, -8)}AAAAAAA=` };
  assert.throws(() => readKeys(JSON.stringify(turned), 'correct horse'), { code: 'CW-BACKUP-PASSPHRASE' });
  assert.throws(() => writeKeys(`${home.pki}.new`, { 'ca.crt': 'x', '../evil': 'y' }), { code: 'CW-BACKUP-DAMAGED' });
});

test('the passphrase comes from a file or a variable, without its line end', () => {
  const bucket = { endpoint: 'https://s3.example.com', bucket: 'saved', credentials: { env: 'KEYS' } };
  const options = { manifests: '/', env: { CAUSEWAY_SECRET_PHRASE: 'correct horse\n' } };
  const of = (passphrase?: object) =>
    passphraseOf({ backup: { ...bucket, ...(passphrase && { passphrase }) } }, options);
  assert.equal(of({ env: 'CAUSEWAY_SECRET_PHRASE' }), 'correct horse');
  assert.equal(of(), undefined);
  assert.throws(() => of({ env: 'CAUSEWAY_SECRET_OTHER' }), {
    code: 'CW-BACKUP-KEYS',
    message: /passphrase of backups is not in/,
  });
});
