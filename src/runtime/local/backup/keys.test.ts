import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { areThere, ensurePki, keysOf, readKeys, writeKeys } from '../../../control-plane/index.ts';
import type { ClusterHome } from '../home.ts';
import { type LocalCluster, localCluster } from '../local-cluster.ts';
import { homeIn, localInput, samplePorts, scratchDirectory } from '../testing/place.ts';
import { passphraseOf } from './target.ts';

const stored = (home: ClusterHome): LocalCluster => localCluster({ cluster: 'web', home, ports: samplePorts });
const ensure = (home: ClusterHome) => ensurePki(localInput(home), stored(home), { now: Date.now });

test('keys of a cluster come back as they were, and all else follows from them', async (t) => {
  const [first, second] = [homeIn(scratchDirectory(t)), homeIn(scratchDirectory(t))];
  await ensure(first);
  const saved = await keysOf(stored(first).store, undefined);
  assert.doesNotMatch(saved, /api-server\.key/, 'what can be made anew is in it');
  assert.deepEqual(Object.keys(JSON.parse(saved)), [
    ...['ca.crt', 'ca.key', 'etcd-ca.crt', 'etcd-ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key'],
    ...['service-account.key', 'service-account.pub', 'encryption.json', 'kubelet-ca.crt', 'kubelet-ca.key'],
  ]);
  const keys = readKeys(saved, undefined);
  assert.equal(await areThere(stored(second).store, keys), false);
  await writeKeys(stored(second).store, keys);
  assert.equal(await areThere(stored(second).store, keys), true);
  for (const file of readdirSync(second.pki))
    assert.equal(statSync(path.join(second.pki, file)).mode & 0o777, 0o600, file);
  await ensure(second);
  for (const file of ['ca.crt', 'encryption.json'])
    assert.equal(readFileSync(path.join(second.pki, file), 'utf8'), readFileSync(path.join(first.pki, file), 'utf8'));
});

test('a backup from before kubelets had an authority is restored, and leaves the one that is there', async (t) => {
  const home = homeIn(scratchDirectory(t));
  await ensure(home);
  const { store } = stored(home);
  const { 'kubelet-ca.crt': own, 'kubelet-ca.key': _, ...before } = readKeys(await keysOf(store, undefined), undefined);
  assert.ok(own);
  assert.equal(await areThere(store, before), true);
  await writeKeys(store, before);
  assert.equal(readFileSync(path.join(home.pki, 'kubelet-ca.crt'), 'utf8'), own);
  assert.equal(await areThere(store, { ...before, 'kubelet-ca.crt': 'another' }), false);
});

test('encrypted keys open with their passphrase only', async (t) => {
  const home = homeIn(scratchDirectory(t));
  await ensure(home);
  const { store } = stored(home);
  const sealed = await keysOf(store, 'correct horse');
  assert.doesNotMatch(sealed, /PRIVATE|secretbox|ca\.key/);
  assert.equal(await areThere(store, readKeys(sealed, 'correct horse')), true);
  assert.throws(() => readKeys(sealed, 'wrong horse'), { code: 'CW-BACKUP-PASSPHRASE' });
  assert.throws(() => readKeys(sealed, undefined), { code: 'CW-BACKUP-PASSPHRASE' });
  const damaged = JSON.parse(sealed) as { data: string };
  const turned = { ...damaged, data: `${damaged.data.slice(0, -8)}AAAAAAA=` };
  assert.throws(() => readKeys(JSON.stringify(turned), 'correct horse'), { code: 'CW-BACKUP-PASSPHRASE' });
  await assert.rejects(writeKeys(store, { 'ca.crt': 'x', '../evil': 'y' }), { code: 'CW-BACKUP-DAMAGED' });
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
