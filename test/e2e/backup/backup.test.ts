// Backups of a real etcd: to disk, and to a bucket that a real S3 server keeps.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Backup, BackupStore } from '../../../src/control-plane/backup/backup.ts';
import { keysOf } from '../../../src/control-plane/backup/keys.ts';
import { writeClusterState } from '../../../src/control-plane/cluster-state.ts';
import { diskStore } from '../../../src/runtime/local/backup/disk-store.ts';
import { prepareRestore } from '../../../src/runtime/local/backup/restore.ts';
import { s3Store } from '../../../src/runtime/local/backup/s3-store.ts';
import { takeBackup } from '../../../src/runtime/local/backup/snapshot.ts';
import { createFileStore } from '../../../src/runtime/local/file-store.ts';
import { homeIn, scratchDirectory } from '../../../src/runtime/local/testing/place.ts';
import { needReal } from '../../support/real-programs.ts';
import { type Store, startBucket, startStore } from './scene.ts';

/** The same promises for every place that backups can be in. */
async function keepsItsPromises(t: TestContext, store: Store, backups: BackupStore): Promise<void> {
  await t.test('a lost data directory comes back from the newest backup', async () => {
    await store.write('/shop/first', 'one');
    await takeBackup(store.input, { reason: 'schedule', store: backups });
    await store.write('/shop/second', 'two');
    await takeBackup(store.input, { reason: 'request', store: backups });
    await store.write('/shop/third', 'too late');
    await store.stop();
    rmSync(store.input.home.etcd, { recursive: true });
    const commit = await prepareRestore(store.input, { store: backups, from: 'latest' });
    assert.equal((await commit()).aside, undefined, 'there was nothing to put aside');
    await store.start();
    assert.deepEqual(await store.read('/shop/'), { '/shop/first': 'one', '/shop/second': 'two' });
  });

  await t.test('an older one can be chosen, and what was there is put aside', async () => {
    const [, oldest] = await backups.list();
    const commit = await prepareRestore(store.input, { store: backups, from: oldest?.name ?? '', older: true });
    await store.stop();
    const { aside = '' } = await commit();
    await store.start();
    assert.deepEqual(await store.read('/shop/'), { '/shop/first': 'one' });
    assert.ok(statSync(path.join(aside, 'member')).isDirectory());
    assert.equal(statSync(store.input.home.etcd).mode & 0o777, 0o700);
  });

  await t.test('no revision that clients may remember comes again', async () => {
    assert.ok((await store.revision()) > 1_000_000_000);
  });

  await t.test('what is asked for and not there is said, and nothing is touched', async () => {
    await assert.rejects(prepareRestore(store.input, { store: backups, from: '2020' }), { code: 'CW-BACKUP-NONE' });
    assert.deepEqual(await store.read('/shop/'), { '/shop/first': 'one' });
  });

  await t.test('a backup that is deleted is gone with all of it', async () => {
    const before = await backups.list();
    await backups.remove(before[0] as (typeof before)[0]);
    assert.deepEqual(await backups.list(), before.slice(1));
  });
}

test('backups on disk', async (t) => {
  const real = await needReal(t, 'etcd', 'etcdctl', 'etcdutl');
  if (!real) return;
  const store = await startStore(t, real.etcdctl);
  const { backups: directory } = store.input.home;
  const backups = diskStore(directory);
  await keepsItsPromises(t, store, backups);

  await t.test('they are for their owner only, and nothing half-done lies around', async () => {
    const files = readdirSync(directory);
    assert.deepEqual(files.map((file) => path.extname(file)).sort(), ['.db', '.json']);
    for (const file of files) assert.equal(statSync(path.join(directory, file)).mode & 0o777, 0o600, file);
  });

  await t.test('a damaged one is not restored', async () => {
    const [backup] = await backups.list();
    const file = path.join(directory, `${backup?.name}.db`);
    const bytes = readFileSync(file);
    bytes.writeUInt8((bytes.at(5000) ?? 0) ^ 1, 5000);
    writeFileSync(file, bytes);
    await assert.rejects(prepareRestore(store.input, { store: backups, from: 'latest', older: true }), {
      code: 'CW-BACKUP-DAMAGED',
    });
    assert.deepEqual(
      readdirSync(store.input.home.root).filter((name) => name.includes('restoring')),
      [],
    );
  });

  await t.test('an etcd that does not run is said, and leaves nothing behind', async () => {
    await store.stop();
    const before = readdirSync(directory);
    await assert.rejects(takeBackup(store.input, { reason: 'request', store: backups }), { code: 'CW-BACKUP-FAILED' });
    assert.deepEqual(readdirSync(directory), before);
  });
});

test('backups in a bucket', async (t) => {
  const real = await needReal(t, 'etcd', 'etcdctl', 'etcdutl', 'versitygw');
  if (!real) return;
  const store = await startStore(t, real.etcdctl);
  const { options, files } = await startBucket(t, real.versitygw);
  await keepsItsPromises(t, store, s3Store(options, 'west/web'));

  await t.test('another machine gets the keys of the cluster back, with the passphrase', async () => {
    const { pki } = store.input.home;
    const backups = s3Store(options, 'west/other');
    const before = { strategy: 'Tunneling', kubernetesVersion: '1.36.3', podSecurity: 'baseline' } as const;
    await writeClusterState(createFileStore(store.input.home), before);
    await takeBackup(store.input, {
      reason: 'request',
      store: backups,
      keys: await keysOf(store.keys, 'correct horse'),
      passphrase: 'correct horse',
    });
    assert.equal((await backups.list())[0]?.keys, true);
    const home = homeIn(scratchDirectory(t));
    await writeClusterState(createFileStore(home), { ...before, podSecurity: 'restricted', verifiesKubelets: true });
    const restore = (passphrase: string) =>
      prepareRestore({ ...store.input, home }, { store: backups, from: 'latest', passphrase });
    await assert.rejects(restore('wrong'), { code: 'CW-BACKUP-UNAUTHENTICATED', fix: /^name the passphrase/ });
    assert.equal((await (await restore('correct horse'))()).keys, 'restored');
    // Its nodes come with its keys, so it goes on as the cluster of the backup was made.
    assert.deepEqual(JSON.parse(readFileSync(path.join(home.root, 'state.json'), 'utf8')), before);
    for (const file of ['ca.key', 'service-account.key', 'encryption.json'])
      assert.equal(readFileSync(path.join(home.pki, file), 'utf8'), readFileSync(path.join(pki, file), 'utf8'));
    await backups.remove((await backups.list())[0] as Backup);
    assert.deepEqual(await backups.list(), []);
    assert.ok(!files('west').includes('other'), 'something is left of it');
  });

  await t.test('nothing of them stays on this machine', () => {
    mkdirSync(store.input.home.backups, { recursive: true });
    assert.deepEqual(readdirSync(store.input.home.backups), []);
    assert.equal(files('west/web').length, 2);
  });

  await t.test('wrong keys, a missing bucket and a server that is away are told apart', async () => {
    const keys = { ...options.credentials, secretAccessKey: 'wrong' };
    const lists = (changes: object) => s3Store({ ...options, ...changes }, 'west/web').list();
    await assert.rejects(lists({ credentials: keys }), { code: 'CW-BACKUP-REFUSED', message: /SignatureDoesNotMatch/ });
    await assert.rejects(lists({ bucket: 'other' }), { code: 'CW-BACKUP-REFUSED', message: /NoSuchBucket/ });
    await assert.rejects(lists({ endpoint: 'http://127.0.0.1:1' }), { code: 'CW-BACKUP-UNREACHABLE' });
  });
});
