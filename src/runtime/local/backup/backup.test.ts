import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  type Backup,
  type BackupReason,
  backupName,
  isMetadataFile,
  metadataFile,
  metadataOf,
  readMetadata,
} from '../../../control-plane/index.ts';
import { homeIn, localInput, scratchDirectory } from '../testing/place.ts';
import { backupStore } from './target.ts';

const backup = (at: number, reason: BackupReason): Backup => ({
  name: backupName(at, reason),
  cluster: 'web',
  at,
  reason,
  kubernetesVersion: '1.36.3',
  bytes: 1,
  sha256: '00',
});

test('names sort by time, and the metadata of a backup is told from other files', () => {
  const one = backup(Date.UTC(2026, 10, 16, 9, 5, 7, 250), 'schedule');
  assert.equal(one.name, '2026-11-16T09-05-07Z-schedule');
  assert.ok(isMetadataFile(metadataFile(one)));
  assert.ok(!isMetadataFile('package.json'));
  assert.deepEqual(readMetadata(metadataOf(one), metadataFile(one)), one);
  assert.equal(readMetadata('{}', 'x.json'), undefined);
  assert.equal(readMetadata('half a fi', 'x.json'), undefined);
});

test('backups go to the bucket of the seed, with keys from a file or a variable, and to disk without one', (t) => {
  const directory = scratchDirectory(t);
  const input = localInput(homeIn(directory));
  const bucket = { endpoint: 'https://s3.example.com', bucket: 'saved', credentials: { env: 'CAUSEWAY_SECRET_KEYS' } };
  const options = { manifests: directory, env: { CAUSEWAY_SECRET_KEYS: 'id:secret' } };
  assert.equal(backupStore(input, options).place, input.home.backups);
  const place = 'https://s3.example.com/saved/west/web';
  assert.equal(backupStore({ ...input, backup: bucket }, options).place, place);
  mkdirSync(path.join(directory, 'secrets'), 0o700);
  writeFileSync(path.join(directory, 'secrets/keys'), 'id:secret\n');
  const fromFile = { ...bucket, credentials: { file: 'secrets/keys' } };
  assert.equal(backupStore({ ...input, backup: fromFile }, options).place, place);
});

test('keys that are missing or of another form are said without telling them', (t) => {
  const directory = scratchDirectory(t);
  const input = localInput(homeIn(directory));
  const bucket = { endpoint: 'https://s3.example.com', bucket: 'saved' };
  const opens =
    (credentials: object, env = {}) =>
    () =>
      backupStore({ ...input, backup: { ...bucket, credentials } }, { manifests: directory, env });
  const says = (message: RegExp) => ({ code: 'CW-BACKUP-KEYS', message });
  assert.throws(opens({ env: 'CAUSEWAY_SECRET_KEYS' }), says(/not in the variable CAUSEWAY_SECRET_KEYS$/));
  assert.throws(
    opens({ env: 'CAUSEWAY_SECRET_KEYS' }, { CAUSEWAY_SECRET_KEYS: 'topsecret' }),
    says(/^the access key.* not of the form ID:SECRET$/),
  );
  assert.throws(opens({ file: 'secrets/keys' }), says(/^secrets\/keys does not exist$/));
  assert.throws(opens({ secret: { name: 'keys' } }), says(/in a Secret, which this machine cannot read$/));
});
