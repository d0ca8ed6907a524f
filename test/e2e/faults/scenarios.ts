// Changes of several files, and what must be true whenever one of them was interrupted: the same authority, keys and data
// that belong together, nothing that cannot be read.
import assert from 'node:assert/strict';
import { createPrivateKey as privateKey, X509Certificate } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesOf, proposedAnswers } from '../../../src/cli/init/templates.ts';
import { type ControlPlanePki, ensurePki, keysOf } from '../../../src/control-plane/index.ts';
import { manifestDirectory, manifestReader } from '../../../src/manifests/index.ts';
import { proveKeys, proveWhole } from '../../../src/runtime/local/backup/checksum.ts';
import { diskStore } from '../../../src/runtime/local/backup/disk-store.ts';
import { judgedBackups } from '../../../src/runtime/local/backup/judged-backups.ts';
import { prepareRestore } from '../../../src/runtime/local/backup/restore.ts';
import { finishRestores } from '../../../src/runtime/local/backup/restore-journal.ts';
import { takeBackup } from '../../../src/runtime/local/backup/snapshot.ts';
import { localRuntime } from '../../../src/runtime/local/capabilities.ts';
import { gatewayKeys } from '../../../src/runtime/local/gateway-keys.ts';
import { dataIn, rememberPorts } from '../../../src/runtime/local/index.ts';
import { localCluster } from '../../../src/runtime/local/local-cluster.ts';
import { removeUnfinished } from '../../../src/runtime/local/remove-unfinished.ts';
import type { etcdTools } from '../../../src/runtime/local/testing/etcd-tools.ts';
import { homeIn, type LocalInput, localInput } from '../../../src/runtime/local/testing/place.ts';

export interface Scenario {
  /** What is there before. */
  stage(place: Place): Promise<void>;
  act(place: Place): Promise<unknown>;
  /** After it was done, or a new start after it was interrupted. */
  check(place: Place, done: boolean): Promise<void>;
}

/** Another copy for each fault; programs are the same for all. */
export interface Place {
  readonly directory: string;
  readonly tools: ReturnType<typeof etcdTools>;
}

const start = Date.UTC(2026, 10, 16);
const day = 24 * 3_600_000;

const inputIn = ({ directory }: Place): LocalInput => localInput(homeIn(directory));
const pkiIn = (place: Place, now = start): Promise<ControlPlanePki> =>
  ensurePki(inputIn(place), localCluster(inputIn(place)), { now: () => now });
const text = (...parts: string[]): string => readFileSync(path.join(...parts), 'utf8');
const authorityIn = (place: Place): string => text(inputIn(place).home.pki, 'ca.crt');
const contentIn = (place: Place): string => text(inputIn(place).home.etcd, 'member/db');
const access = (place: Place) => ({
  store: diskStore(inputIn(place).home.backups),
  programs: { dir: place.tools.dir },
});

async function backUp(place: Place, content: string, now: number): Promise<void> {
  place.tools.hold(content);
  const keys = await keysOf(localCluster(inputIn(place)).store, undefined);
  await takeBackup(inputIn(place), { ...access(place), reason: 'request', keys, now: () => now });
}

function writeData(place: Place, content: string): void {
  const member = path.join(inputIn(place).home.etcd, 'member');
  mkdirSync(member, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(member, 'db'), content);
}

const restore = async (place: Place): Promise<unknown> =>
  (await prepareRestore(inputIn(place), { ...access(place), from: 'latest' }))();

/** All that a cluster trusts and is trusted by fits together, and is of this authority. */
function checkKeys(place: Place, authority: string): void {
  const { pki } = inputIn(place).home;
  assert.equal(authorityIn(place), authority, 'another authority');
  for (const file of readdirSync(pki).filter((name) => name.endsWith('.crt'))) {
    const key = file.replace(/crt$/, 'key');
    const certificate = new X509Certificate(text(pki, file));
    assert.ok(certificate.checkPrivateKey(privateKey(text(pki, key))), `${file} does not fit its key`);
  }
}

/** What a platform that starts does first. */
function recover(place: Place): void {
  finishRestores(path.dirname(inputIn(place).home.root));
  removeUnfinished({ state: path.join(place.directory, 'state') });
  const left = ['**/*.tmp', '**/.*.part', '**/*.restoring*', '**/restore.json'];
  assert.deepEqual(globSync(left, { cwd: place.directory }), [], 'something is left for ever');
}

/** With keys, which belong to it, and data that is older than its own keys. */
const restoring: Scenario = {
  async stage(place) {
    await pkiIn(place);
    await backUp(place, 'then', start);
    const { pki } = inputIn(place).home;
    renameSync(pki, `${pki}.then`);
    await pkiIn(place);
    writeData(place, 'now');
  },
  act: restore,
  async check(place, done) {
    const { root, pki } = inputIn(place).home;
    recover(place);
    const then = text(`${pki}.then`, 'ca.crt');
    const isThen = authorityIn(place) === then;
    assert.equal(contentIn(place), isThen ? 'then' : 'now', 'keys and data are of two backups');
    if (done) assert.ok(isThen, 'it said that it was done');
    const before = readdirSync(root).filter((name) => name.startsWith('etcd.before-'));
    if (isThen) assert.equal(text(root, before[0] ?? '', 'member/db'), 'now', 'what was there is lost');
    const authority = authorityIn(place);
    await pkiIn(place);
    checkKeys(place, authority);
    await restore(place);
    assert.deepEqual([authorityIn(place), contentIn(place)], [then, 'then']);
  },
};

const backingUp: Scenario = {
  async stage(place) {
    await pkiIn(place);
    await backUp(place, 'one', start);
  },
  act: (place) => backUp(place, 'two', start + day),
  async check(place, done) {
    const { home } = inputIn(place);
    const { store } = access(place);
    recover(place);
    const listed = await judgedBackups({ cluster: 'web', home }, { store });
    assert.equal(listed.at(-1)?.name, '2026-11-16T00-00-00Z-request', 'the one of before is gone');
    if (done) assert.equal(listed.length, 2);
    for (const backup of listed) {
      assert.equal(backup.authenticity, 'authenticated');
      await proveWhole(path.join(home.backups, `${backup.name}.db`), backup);
      proveKeys(await store.fetchKeys(backup), backup);
    }
    await backUp(place, 'three', start + 2 * day);
    await restore(place);
    assert.equal(contentIn(place), 'three');
  },
};

const makingKeys: Scenario = {
  stage: async () => {},
  act: (place) => pkiIn(place),
  async check(place, done) {
    const authority = done ? authorityIn(place) : undefined;
    await pkiIn(place);
    checkKeys(place, authority ?? authorityIn(place));
    writeData(place, 'now');
    const made = authorityIn(place);
    await pkiIn(place);
    checkKeys(place, made);
  },
};

const renewing: Scenario = {
  async stage(place) {
    await pkiIn(place);
    writeData(place, 'now');
    writeFileSync(path.join(place.directory, 'authority'), authorityIn(place));
  },
  act: (place) => pkiIn(place, start + 300 * day),
  async check(place) {
    const authority = text(place.directory, 'authority');
    await pkiIn(place, start + 300 * day);
    checkKeys(place, authority);
    const { pki } = inputIn(place).home;
    for (const file of readdirSync(pki).filter((name) => name.endsWith('.crt')))
      assert.ok(
        new X509Certificate(text(pki, file)).validToDate.getTime() > start + 365 * day,
        `${file} was not renewed`,
      );
  },
};

const gatewayIn = ({ directory }: Place): string => path.join(directory, 'gateways/west');
const names = ['seed.example.com'];

const makingGatewayKeys: Scenario = {
  stage: async () => {},
  async act(place) {
    await (await gatewayKeys(gatewayIn(place), { now: () => start })).renew(names);
  },
  async check(place, done) {
    const kept = (): string => text(gatewayIn(place), 'gateway-ca.crt');
    const before = done ? kept() : undefined;
    const keys = await gatewayKeys(gatewayIn(place), { now: () => start });
    await keys.renew(names);
    if (before !== undefined) assert.equal(kept(), before);
    const pairs = ['gateway-ca', 'gateway'].map((name) =>
      ['crt', 'key'].map((end) => text(gatewayIn(place), `${name}.${end}`)),
    );
    for (const [certificate = '', key = ''] of pairs)
      assert.ok(new X509Certificate(certificate).checkPrivateKey(privateKey(key)));
    assert.ok(keys.token('web', day).length > 0);
  },
};

const renewingGateway: Scenario = {
  stage: makingGatewayKeys.act as Scenario['stage'],
  async act(place) {
    await (await gatewayKeys(gatewayIn(place), { now: () => start + 300 * day })).renew(names);
  },
  async check(place) {
    const authority = text(gatewayIn(place), 'gateway-ca.crt');
    const keys = await gatewayKeys(gatewayIn(place), { now: () => start + 300 * day });
    await keys.renew(names);
    assert.equal(text(gatewayIn(place), 'gateway-ca.crt'), authority);
    const served = new X509Certificate(text(gatewayIn(place), 'gateway.crt'));
    assert.ok(
      served.checkPrivateKey(privateKey(text(gatewayIn(place), 'gateway.key'))),
      'nobody could be served with it',
    );
    assert.ok(served.validToDate.getTime() > start + 365 * day);
  },
};

const platformIn = ({ directory }: Place) => ({ state: path.join(directory, 'state'), run: '', controlSocket: '' });
const setAside = (place: Place, now: number) => dataIn(platformIn(place)).setAside('web', new Date(now));

const removing: Scenario = {
  async stage(place) {
    await pkiIn(place);
    writeData(place, 'now');
    const worker = path.join(place.directory, 'state/workers/web');
    mkdirSync(worker, { recursive: true });
    writeFileSync(path.join(worker, 'kubelet.key'), 'of a worker');
  },
  act: (place) => setAside(place, start),
  async check(place, done) {
    const { state } = platformIn(place);
    const data = dataIn(platformIn(place));
    if (done) assert.deepEqual(await data.clusters(), []);
    // Whoever starts sees that there is one that nobody wants.
    if ((await data.clusters()).includes('web')) await setAside(place, start + day);
    const left = globSync(['clusters/web/**', 'workers/web/**'], { cwd: state });
    assert.deepEqual(left, [], 'a new cluster of this name would find it');
    const kept = globSync('removed/*/**/{db,kubelet.key,encryption.json}', { cwd: state }).map((file) =>
      path.basename(file),
    );
    assert.deepEqual(kept.sort(), ['db', 'encryption.json', 'kubelet.key'], 'something is lost');
  },
};

const choosingPorts: Scenario = {
  stage: async () => {},
  act: (place) => rememberPorts(inputIn(place).home),
  async check(place, done) {
    const { root, ...home } = inputIn(place).home;
    const file = path.join(root, 'ports.json');
    if (done) assert.ok(existsSync(file));
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    await rememberPorts({ root, ...home });
    if (before !== undefined) assert.equal(readFileSync(file, 'utf8'), before, 'a running etcd would not be found');
  },
};

const lockIn = ({ directory }: Place): string => path.join(directory, 'causeway.lock.yaml');
const read = ({ directory }: Place) => manifestReader(manifestDirectory(directory), { runtime: localRuntime })();

const givingOut: Scenario = {
  async stage({ directory }) {
    for (const { path: name, text } of filesOf('local', proposedAnswers)) {
      mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
      writeFileSync(path.join(directory, name), text);
    }
  },
  act: read,
  async check(place, done) {
    const before = existsSync(lockIn(place)) ? readFileSync(lockIn(place), 'utf8') : undefined;
    if (done) assert.ok(before !== undefined);
    assert.equal((await read(place)).broken, false);
    if (before !== undefined) assert.equal(readFileSync(lockIn(place), 'utf8'), before, 'what was given out has moved');
  },
};

export const scenarios: Readonly<Record<string, Scenario>> = {
  'a restore': restoring,
  'a backup': backingUp,
  'keys that are made': makingKeys,
  'a renewal of certificates': renewing,
  'keys of a gateway that are made': makingGatewayKeys,
  'a renewal of the certificate of a gateway': renewingGateway,
  'a removal': removing,
  'ports that are chosen': choosingPorts,
  'addresses that are given out': givingOut,
};
