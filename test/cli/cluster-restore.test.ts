// Restoring a cluster as a person does it; what it does to real data is in test/e2e/backup.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { questionAbout } from '../../src/cli/commands/cluster-restore.ts';
import { backupCommands } from '../../src/cli/control/backup-commands.ts';
import { chooseBackup, type JudgedBackup } from '../../src/control-plane/backup/judged.ts';
import type { RestoreFlags } from '../../src/control-plane/index.ts';
import type { PlatformView } from '../../src/platform/view.ts';
import { causewayLater } from '../support/cli.ts';
import { controlledSample } from '../support/controlled-sample.ts';

const hour = 3_600_000;
const saved = (name: string, ago: number, changes: Partial<JudgedBackup> = {}): JudgedBackup => ({
  name,
  cluster: 'tunneling',
  at: Date.now() - ago,
  reason: 'request',
  kubernetesVersion: '1.36.3',
  bytes: 1,
  sha256: '',
  authenticity: 'authenticated',
  ...changes,
});

const newest = saved('newest', 2 * hour + 5 * 60_000);
const kept: readonly JudgedBackup[] = [
  newest,
  saved('older', 50 * hour, { newer: { name: 'newest', at: newest.at, sequence: 7, missing: false } }),
  saved('unsigned', 60 * hour, { authenticity: 'unauthenticated' }),
  saved('forged', 70 * hour, { authenticity: 'altered' }),
];

/** Milliseconds after the restore: until then nothing is told of it, and when the API server is ready again. */
interface Restart {
  readonly toldAfter: number;
  readonly readyAfter: number;
}

async function scene(t: TestContext, { toldAfter, readyAfter }: Restart) {
  const asked: string[] = [];
  let restoredAt = Number.POSITIVE_INFINITY;
  const backups = {
    take: () => Promise.reject(new Error('not asked for')),
    list: async () => kept,
    choose: async (from: string) => chooseBackup('tunneling', kept, from),
    restore: async (from: string, flags: RestoreFlags) => {
      asked.push(
        [from, ...(flags.older ? ['older'] : []), ...(flags.unauthenticated ? ['unauthenticated'] : [])].join(),
      );
      restoredAt = Date.now();
      return { backup: saved(from, hour), aside: '/aside', keys: 'kept' as const };
    },
  };
  const command = backupCommands((name) => (name === 'tunneling' ? backups : undefined));
  const { platform, directory } = await controlledSample(t, { command });
  const usual = platform.view.bind(platform);
  const isNew = (): boolean => Date.now() > restoredAt + toldAfter;
  const isReady = (): boolean => Date.now() > restoredAt + readyAfter;
  platform.view = () => (isNew() ? restarted(usual(), isReady()) : usual());
  const restore = (...args: string[]) =>
    causewayLater(['cluster', 'restore', 'tunneling', '--dir', directory, ...args]).then((result) => ({
      ...result,
      afterMs: Date.now() - restoredAt,
    }));
  const list = () => causewayLater(['cluster', 'backups', 'tunneling', '--dir', directory]);
  return { asked, list, restore };
}

/** With other processes, of which the API server is ready or not. */
const restarted = (view: PlatformView, ready: boolean): PlatformView => ({
  ...view,
  clusters: view.clusters.map((cluster) => (cluster.name === 'tunneling' ? { ...cluster, ready: true } : cluster)),
  components: view.components.map((component) => {
    if (component.scope !== 'cluster/tunneling') return component;
    const healthy = ready || component.name !== 'kube-apiserver';
    return { ...component, pid: (component.pid ?? 0) + 5000, healthy, ...(healthy ? {} : { why: 'it is starting' }) };
  }),
});

test('refuses to restore where nobody can be asked, and says what would be lost', async (t) => {
  const { asked, restore } = await scene(t, { toldAfter: 0, readyAfter: 0 });
  const { code, stderr } = await restore();
  assert.equal(code, 2);
  assert.match(
    stderr,
    /whether tunneling may go back to newest, taken 2 h 5 min ago, at 20\d\d-\d\d-\d\d [\d:]{8} UTC, and lose/,
  );
  assert.match(stderr, /\[CW-CLI-YES\]\n {2}fix: add --yes/);
  assert.deepEqual(asked, []);
});

test('the question names the backup, its age, and what is lost', () => {
  const backup = { ...saved('2026-11-16T10-00-00Z-request', 0), at: Date.UTC(2026, 10, 16, 10) };
  const { about } = questionAbout('shop', backup, Date.UTC(2026, 10, 18, 13, 20));
  assert.match(
    about,
    /^shop goes back to the backup 2026-11-16T10-00-00Z-request, taken 2 d 3 h ago, at 2026-11-16 10:00:00 UTC\./,
  );
  assert.match(about, /Everything that was written to it since then is lost/);
});

test('says that it is done when the API server is ready again, and not before', async (t) => {
  const readyAfter = 2000;
  const { asked, restore } = await scene(t, { toldAfter: 700, readyAfter });
  const { code, stdout, stderr, afterMs } = await restore('--yes', '--from', 'older', '--older');
  assert.equal(code, 0, stderr);
  assert.ok(afterMs >= readyAfter, `it said so after ${afterMs} ms`);
  assert.match(stdout, /^tunneling has the data of older again, and is ready\nwhat it had before is in \/aside;/);
  assert.match(stderr, /waiting until it is ready/);
  assert.deepEqual(asked, ['older,older']);
});

test('ends with the reason where the cluster is not ready in time', async (t) => {
  const { restore } = await scene(t, { toldAfter: 0, readyAfter: 60_000 });
  const { code, stdout, stderr } = await restore('--yes', '--wait', '1s');
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /was not ready within 1s: kube-apiserver: it is starting \[CW-CLUSTER-NOT-READY\]\n {2}fix: .*logs kube-apiserver/,
  );
});

test('a backup that is not there is refused with those that are', async (t) => {
  const { asked, restore } = await scene(t, { toldAfter: 0, readyAfter: 0 });
  const { code, stderr } = await restore('--yes', '--from', 'oldr');
  assert.equal(code, 2);
  assert.match(stderr, /there is no backup oldr of cluster tunneling.*\n {2}fix: did you mean older\?/);
  assert.deepEqual(asked, []);
});

test('an older backup, and one that nothing proves, take a flag each; an altered one is never taken', async (t) => {
  const { asked, restore } = await scene(t, { toldAfter: 0, readyAfter: 0 });
  const refused = async (from: string, ...flags: string[]): Promise<string> => {
    const { code, stderr } = await restore('--yes', '--from', from, ...flags);
    assert.equal(code, 2, stderr);
    return stderr;
  };
  assert.match(
    await refused('older', '--unauthenticated'),
    /older is not the newest: newest of .* UTC is \[CW-BACKUP-OLDER\]\n {2}fix: .*add --older/,
  );
  assert.match(
    await refused('unsigned', '--older'),
    /nothing proves who wrote the backup unsigned: .*\[CW-BACKUP-UNAUTHENTICATED\]\n {2}fix: .*add --unauthenticated/,
  );
  assert.match(await refused('forged', '--older', '--unauthenticated'), /somebody altered it \[CW-BACKUP-ALTERED\]/);
  assert.deepEqual(asked, []);
  assert.equal((await restore('--yes', '--from', 'unsigned', '--unauthenticated')).code, 0);
  assert.deepEqual(asked, ['unsigned,unauthenticated']);
});

test('the question says what is risked', () => {
  const [, older, unsigned] = kept as [JudgedBackup, JudgedBackup, JudgedBackup];
  assert.match(questionAbout('shop', older, Date.now()).about, /It is not the newest, which is newest, at/);
  assert.match(
    questionAbout('shop', unsigned, Date.now()).about,
    /Nothing proves who wrote it .*its roles and keys too\./,
  );
});

test('the list marks what is not authenticated', async (t) => {
  const { list } = await scene(t, { toldAfter: 0, readyAfter: 0 });
  const rows = (await list()).stdout.split('\n').map((row) => row.split(/ {2,}/));
  assert.deepEqual(
    rows.slice(0, 5).map((row) => [row[0], row.at(-1)]),
    [
      ['NAME', 'AUTHENTICATED'],
      ['newest', 'yes'],
      ['older', 'yes'],
      ['unsigned', 'no'],
      ['forged', 'no: altered'],
    ],
  );
});
