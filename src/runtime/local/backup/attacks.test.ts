// Somebody who can write where the backups are, and has neither the passphrase nor the state of the platform. Whatever
// they do: nothing but a backup as it was taken is put in place, and what is there stays until that is proven.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type Backup,
  type BackupStore,
  backupName,
  ensurePki,
  keysOf,
  metadataOf,
} from '../../../control-plane/index.ts';
import { silentLog } from '../../../sys/log.ts';
import { type LocalCluster, localCluster } from '../local-cluster.ts';
import { startBucket } from '../testing/bucket.ts';
import { etcdTools } from '../testing/etcd-tools.ts';
import { homeIn, localInput, scratchDirectory } from '../testing/place.ts';
import { ClusterBackups, type StoppingDriver } from './cluster-backups.ts';
import { diskStore } from './disk-store.ts';
import { judgedBackups } from './judged-backups.ts';
import { prepareRestore } from './restore.ts';
import { s3Store } from './s3-store.ts';
import { takeBackup } from './snapshot.ts';

interface Place {
  readonly store: BackupStore;
  readonly files: {
    get(name: string): Buffer;
    put(name: string, bytes: Buffer | string): void;
    remove(name: string): void;
  };
}

interface Cluster extends Place {
  readonly passphrase: string | undefined;
  readonly etcd: string;
  take(content: string): Promise<Backup>;
  restore(from: string, flags?: object): Promise<unknown>;
  /** What its data directory holds. */
  data(): string | undefined;
}

const secret = 'correct horse';

function onDisk(directory: string): Place {
  const at = (name: string): string => path.join(directory, name);
  return {
    store: diskStore(directory),
    files: {
      get: (name) => readFileSync(at(name)),
      put: (name, bytes) => writeFileSync(at(name), bytes, { mode: 0o600 }),
      remove: (name) => rmSync(at(name)),
    },
  };
}

async function inBucket(t: TestContext): Promise<(cluster: string) => Place> {
  const { options, objects } = await startBucket(t);
  return (cluster) => ({
    store: s3Store(options, `west/${cluster}`),
    files: {
      get: (name) => objects.get(`west/${cluster}/${name}`) as Buffer,
      put: (name, bytes) => objects.set(`west/${cluster}/${name}`, Buffer.from(bytes)),
      remove: (name) => objects.delete(`west/${cluster}/${name}`),
    },
  });
}

interface Platform {
  cluster(name: string): Promise<Cluster>;
}

/** Two clusters of one platform are in one directory. */
async function platform(t: TestContext, places?: (cluster: string) => Place): Promise<Platform> {
  const directory = scratchDirectory(t);
  const tools = etcdTools(directory);
  return {
    async cluster(name) {
      const home = homeIn(directory, name);
      const input = { ...localInput(home), cluster: name };
      const runtime: LocalCluster = localCluster(input);
      await ensurePki(input, runtime, { now: Date.now });
      const place = places?.(name) ?? onDisk(home.backups);
      const passphrase = places === undefined ? undefined : secret;
      const access = { store: place.store, passphrase, programs: { dir: tools.dir } };
      let minute = name === 'web' ? 0 : 30;
      const data = path.join(home.etcd, 'member/db');
      return {
        ...place,
        passphrase,
        etcd: home.etcd,
        async take(content) {
          tools.hold(content);
          const now = (): number => Date.UTC(2026, 10, 16, 9, minute++);
          return takeBackup(input, {
            reason: 'request',
            ...access,
            keys: await keysOf(runtime.store, passphrase),
            now,
          });
        },
        restore: async (from, flags = {}) => (await prepareRestore(input, { ...access, from, ...flags }))(),
        data: () => (existsSync(data) ? readFileSync(data, 'utf8') : undefined),
      };
    },
  };
}

const everyFlag = { older: true, unauthenticated: true };

/** The same attacks, wherever backups are. */
async function resists(t: TestContext, places?: (cluster: string) => Place): Promise<void> {
  const { cluster } = await platform(t, places);
  const [web, shop] = [await cluster('web'), await cluster('shop')];
  const first = await web.take('first of web');
  const second = await web.take('second of web');
  const foreign = await shop.take('of shop');
  const { files } = web;
  const kept = new Map(
    [first, second].flatMap(({ name }) =>
      ['db', 'keys', 'json'].map((end) => [`${name}.${end}`, files.get(`${name}.${end}`)]),
    ),
  );
  const refused = async (
    code: string,
    attack: () => void,
    from = 'latest',
    flags: object = everyFlag,
  ): Promise<void> => {
    attack();
    await assert.rejects(web.restore(from, flags), { code });
    assert.equal(web.data(), 'as it is', 'something was replaced');
    assert.deepEqual(
      readdirSync(path.dirname(web.etcd)).filter((name) => name.includes('restoring')),
      [],
    );
    if ((await web.store.list()).some(({ name }) => name === foreign.name)) files.remove(`${foreign.name}.json`);
    for (const [name, bytes] of kept) files.put(name, bytes as Buffer);
  };
  mkdirSync(path.join(web.etcd, 'member'), { recursive: true });
  writeFileSync(path.join(web.etcd, 'member/db'), 'as it is');
  const json = (name: string, changes: object): string =>
    JSON.stringify({ ...JSON.parse(String(files.get(`${name}.json`))), ...changes });

  await t.test('bytes of a snapshot that are other ones', () =>
    refused('CW-BACKUP-DAMAGED', () => files.put(`${second.name}.db`, 'SECOND of web')),
  );
  await t.test('a snapshot that is cut off, or longer', async () => {
    await refused('CW-BACKUP-DAMAGED', () => files.put(`${second.name}.db`, 'second'));
    await refused('CW-BACKUP-DAMAGED', () => files.put(`${second.name}.db`, `second of web${' '.repeat(100_000)}`));
  });
  await t.test('another snapshot with a checksum that fits', () =>
    refused('CW-BACKUP-ALTERED', () => {
      files.put(`${second.name}.db`, files.get(`${first.name}.db`));
      files.put(`${second.name}.json`, json(second.name, { sha256: first.sha256, bytes: first.bytes }));
    }),
  );
  await t.test('keys of another backup, or none', async () => {
    await refused('CW-BACKUP-DAMAGED', () => files.put(`${second.name}.keys`, shop.files.get(`${foreign.name}.keys`)));
    await refused('CW-BACKUP-ALTERED', () => files.put(`${second.name}.json`, json(second.name, { keys: false })));
  });
  await t.test('the backup of another cluster in its place', () =>
    refused(
      'CW-BACKUP-UNAUTHENTICATED',
      () => {
        for (const { name } of [first, second]) files.remove(`${name}.json`);
        for (const end of ['db', 'keys', 'json'])
          files.put(`${foreign.name}.${end}`, shop.files.get(`${foreign.name}.${end}`));
      },
      'latest',
      { older: true },
    ),
  );
  await t.test('the same, told to be of this cluster', () =>
    refused(
      'CW-BACKUP-ALTERED',
      () => {
        const theirs = JSON.parse(String(shop.files.get(`${foreign.name}.json`)));
        files.put(`${foreign.name}.json`, JSON.stringify({ ...theirs, cluster: 'web' }));
      },
      foreign.name,
    ),
  );
  await t.test('an older one under the name of the newest', () =>
    refused(
      'CW-BACKUP-ALTERED',
      () => {
        for (const end of ['db', 'keys']) files.put(`${second.name}.${end}`, files.get(`${first.name}.${end}`));
        files.put(`${second.name}.json`, json(first.name, { name: second.name }));
      },
      second.name,
    ),
  );
  await t.test('the newest deleted, so that an older one seems to be it', () =>
    refused('CW-BACKUP-OLDER', () => files.remove(`${second.name}.json`), 'latest', { unauthenticated: true }),
  );
  await t.test('the MAC taken away', () =>
    refused(
      'CW-BACKUP-UNAUTHENTICATED',
      () => files.put(`${second.name}.json`, json(second.name, { authentication: undefined })),
      second.name,
      { older: true },
    ),
  );
  await t.test('an own one that is newer, which is passed over', async () => {
    const planted = '2030-01-01T00-00-00Z-request';
    const changes = { name: planted, at: Date.UTC(2030, 0), authentication: undefined, sequence: 999 };
    files.put(`${planted}.json`, json(second.name, changes));
    files.put(`${planted}.db`, 'second of web');
    await web.restore('latest');
    assert.equal(web.data(), 'second of web');
    files.remove(`${planted}.json`);
  });
  await t.test('an older one comes back where somebody says so, and is not forgotten to be older', async () => {
    await assert.rejects(web.restore(first.name), { code: 'CW-BACKUP-OLDER' });
    await web.restore(first.name, { older: true });
    assert.equal(web.data(), 'first of web');
    await assert.rejects(web.restore(first.name), { code: 'CW-BACKUP-OLDER' });
    assert.equal((await web.take('third of web')).sequence, 3);
  });
}

test('whoever can write the directory of the backups changes nothing of a cluster', (t) => resists(t));

test('whoever can write the bucket changes nothing of a cluster', async (t) => resists(t, await inBucket(t)));

test('a planted backup from the future keeps no scheduled one away', async (t) => {
  const directory = scratchDirectory(t);
  const home = homeIn(directory);
  const { dir, hold } = etcdTools(directory);
  hold('data');
  const runtime = localCluster(localInput(home));
  await ensurePki(localInput(home), runtime, { now: Date.now });
  const etcd = { scope: 'cluster/web', name: 'etcd', healthy: true };
  let now = Date.UTC(2026, 10, 16);
  const backups = new ClusterBackups({
    place: runtime,
    driver: { look: () => [etcd] } as unknown as StoppingDriver,
    log: silentLog,
    manifests: directory,
    programs: { dir },
    now: () => now,
  });
  t.after(() => backups.stop());
  backups.want(localInput(home));
  const at = Date.UTC(2030, 0);
  const planted = { name: backupName(at, 'schedule'), cluster: 'web', at, reason: 'schedule' as const };
  mkdirSync(home.backups, { recursive: true, mode: 0o700 });
  const text = metadataOf({ ...planted, kubernetesVersion: '1.36.3', bytes: 1, sha256: 'ab' });
  writeFileSync(path.join(home.backups, `${planted.name}.json`), text);
  await backups.backUpIfDue();
  now += 6 * 60_000;
  await backups.backUpIfDue();
  assert.deepEqual(
    (await backups.list()).map(({ authenticity }) => authenticity),
    ['unauthenticated', 'authenticated'],
  );
});

test('another machine has the passphrase only, and tells the newest from others', async (t) => {
  const places = await inBucket(t);
  const web = await (await platform(t, places)).cluster('web');
  const first = await web.take('first of web');
  await web.take('second of web');
  const lost = await (await platform(t, places)).cluster('web');
  await assert.rejects(lost.restore(first.name), { code: 'CW-BACKUP-OLDER' });
  await lost.restore('latest');
  assert.equal(lost.data(), 'second of web');
  assert.equal((await lost.take('third of web')).sequence, 3, 'it goes on where the other one was');
});

test('a backup from before is listed, marked, and restored where somebody says so', async (t) => {
  const directory = scratchDirectory(t);
  const home = homeIn(directory);
  const { dir, hold } = etcdTools(directory);
  const store = diskStore(home.backups);
  hold('from before');
  const options = { store, programs: { dir } };
  const { name, at, reason, cluster, kubernetesVersion, bytes, sha256 } = await takeBackup(localInput(home), {
    ...options,
    reason: 'request',
  });
  const before = { name, cluster, at, reason, kubernetesVersion, bytes, sha256, keys: false };
  writeFileSync(path.join(home.backups, `${name}.json`), JSON.stringify(before));
  rmSync(home.backupState);
  const [listed] = await judgedBackups({ cluster: 'web', home }, { store });
  assert.deepEqual(listed, { ...before, authenticity: 'unauthenticated' });
  const input = localInput(home);
  await assert.rejects(prepareRestore(input, { ...options, from: name }), { code: 'CW-BACKUP-UNAUTHENTICATED' });
  await (await prepareRestore(input, { ...options, from: name, unauthenticated: true }))();
  assert.equal(readFileSync(path.join(home.etcd, 'member/db'), 'utf8'), 'from before');
});

test('a snapshot that was carried elsewhere is proven by the metadata beside it', async (t) => {
  const web = await (await platform(t)).cluster('web');
  const { name } = await web.take('first of web');
  const elsewhere = scratchDirectory(t);
  const carry = (...ends: string[]): void => {
    for (const end of ends) writeFileSync(path.join(elsewhere, `${name}.${end}`), web.files.get(`${name}.${end}`));
  };
  const file = path.join(elsewhere, `${name}.db`);
  carry('db', 'keys');
  await assert.rejects(web.restore(file), { code: 'CW-BACKUP-UNAUTHENTICATED' });
  carry('json');
  writeFileSync(file, 'FIRST of web');
  await assert.rejects(web.restore(file, everyFlag), { code: 'CW-BACKUP-DAMAGED' });
  carry('db');
  await web.restore(file);
  assert.equal(web.data(), 'first of web');
});

test('a state that cannot be read is told, and not made anew: it says which backup is the newest', async (t) => {
  const directory = scratchDirectory(t);
  const home = homeIn(directory);
  const { dir, hold } = etcdTools(directory);
  hold('x');
  const options = { store: diskStore(home.backups), programs: { dir } };
  await takeBackup(localInput(home), { ...options, reason: 'request' });
  writeFileSync(home.backupState, '{"sal');
  await assert.rejects(prepareRestore(localInput(home), { ...options, from: 'latest' }), { code: 'CW-BACKUP-STATE' });
});
