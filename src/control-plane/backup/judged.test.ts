import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Authenticator, createAuthenticator, newSalt } from './authentication.ts';
import { type Backup, type BackupReason, backupName, metadataFile, metadataOf, readMetadata } from './backup.ts';
import {
  chooseBackup,
  type JudgedBackup,
  judgeBackups,
  newestKnown,
  refuseWithoutFlags,
  superfluous,
} from './judged.ts';

const platform = Buffer.alloc(32, 7);
const ours = createAuthenticator('web', { platform });

const backup = (sequence: number, changes: Partial<Backup> = {}): Backup & { sequence: number } => {
  const at = Date.UTC(2026, 10, 16, 9, sequence);
  const [reason, kubernetesVersion] = ['schedule' as BackupReason, '1.36.3'];
  const digests = { sha256: 'ab'.repeat(32), keys: true, keysSha256: 'cd'.repeat(32) };
  return {
    ...{ name: backupName(at, changes.reason ?? reason), cluster: 'web', at, reason, kubernetesVersion, bytes: 4096 },
    ...{ ...digests, ...changes, sequence },
  };
};
const signed = (sequence: number, changes: Partial<Backup> = {}, by: Authenticator = ours): Promise<Backup> =>
  by.sign(backup(sequence, changes), newSalt());
const named = (backups: readonly JudgedBackup[], { name }: Backup): JudgedBackup =>
  backups.find((one) => one.name === name) as JudgedBackup;
const refusal = (one: JudgedBackup, flags = {}): string | undefined => {
  try {
    refuseWithoutFlags('web', one, flags);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const all = { older: true, unauthenticated: true };

test('a backup is authenticated as it was taken, and altered as soon as anything in it is another', async () => {
  const one = await signed(3);
  assert.equal(await ours.judge(one), 'authenticated');
  const others: Partial<Backup>[] = [
    ...[{ at: one.at + 1 }, { name: 'other' }, { reason: 'upgrade' as const }, { kubernetesVersion: '1.36.4' }],
    ...[{ bytes: 1 }, { sha256: '00'.repeat(32) }, { keys: false }, { keysSha256: '00'.repeat(32) }, { sequence: 4 }],
    { made: { podSecurity: 'privileged' } },
  ];
  for (const change of others) assert.equal(await ours.judge({ ...one, ...change }), 'altered', JSON.stringify(change));
  const { keysSha256: _, ...without } = one;
  assert.equal(await ours.judge(without), 'altered', 'keys of any other backup could be put beside it');
});

test('no two different backups have the same MAC', async () => {
  const text = fc.string({ maxLength: 6 });
  const some = fc.record({ name: text, kubernetesVersion: text, sha256: text, keysSha256: text });
  await fc.assert(
    fc.asyncProperty(some, some, async (a, b) => {
      const [one, other] = [await signed(1, a), await signed(1, b)];
      const same = JSON.stringify(a) === JSON.stringify(b);
      assert.equal(one.authentication?.mac === other.authentication?.mac, same);
    }),
  );
});

test('a backup of another cluster, of another platform, or of another passphrase is told from one that was altered', async () => {
  const one = await signed(1);
  assert.equal(await createAuthenticator('shop', { platform }).judge(one), 'other-cluster');
  assert.equal(await ours.judge({ ...one, cluster: 'shop' }), 'other-cluster');
  assert.equal(await createAuthenticator('web', { platform: Buffer.alloc(32, 8) }).judge(one), 'other-key');
  assert.equal(await createAuthenticator('web', {}).judge(one), 'other-key');
  const sealed = await signed(1, {}, createAuthenticator('web', { passphrase: 'correct horse', platform }));
  const judges = (passphrase: string | undefined, cluster = 'web') =>
    createAuthenticator(cluster, { passphrase, platform }).judge(sealed);
  assert.equal(await judges('correct horse'), 'authenticated', 'another machine has the passphrase only');
  assert.equal(await judges('wrong horse'), 'other-key');
  assert.equal(await judges(undefined), 'other-key');
  assert.equal(await judges('correct horse', 'shop'), 'other-cluster');
});

test('whoever takes the MAC away, or brings another key, gets no further than a backup without one', async () => {
  const { authentication, ...bare } = await signed(9);
  assert.equal(await ours.judge(bare), 'unauthenticated');
  const { sequence: _, ...unnumbered } = bare;
  assert.equal(await ours.judge({ ...unnumbered, authentication: authentication as never }), 'unauthenticated');
  const [one] = await judgeBackups([bare], ours);
  assert.equal(refusal(one as JudgedBackup, { older: true }), 'CW-BACKUP-UNAUTHENTICATED');
  assert.equal(refusal(one as JudgedBackup, { unauthenticated: true }), undefined);
});

test('of salts that somebody brings only some are worked on, and ours is none less', async () => {
  let worked = 0;
  const stretch = async (passphrase: string, salt: Buffer): Promise<Buffer> => {
    worked++;
    return createHash('sha256').update(passphrase).update(salt).digest();
  };
  const judge = createAuthenticator('web', { passphrase: 'correct horse' }, stretch);
  const sealed = await signed(1, {}, judge);
  const { authentication } = sealed as { authentication: NonNullable<Backup['authentication']> };
  for (let one = 0; one < 1000; one++) {
    const forged = { ...sealed, authentication: { ...authentication, salt: newSalt() } };
    assert.equal(await judge.judge(forged), 'other-key');
  }
  assert.equal(worked, 32);
  assert.equal(await judge.judge(sealed), 'authenticated');
});

test('the newest is told by its number and not by its time, and no other takes its place', async () => {
  const [one, two] = [await signed(1, { at: Date.UTC(2027, 0) }), await signed(2)];
  const planted = { ...backup(99), at: Date.UTC(2030, 0), name: 'planted' };
  const judged = await judgeBackups([one, two, planted], ours);
  assert.equal(chooseBackup('web', judged, 'latest').name, two.name);
  assert.equal(named(judged, one).newer?.name, two.name);
  assert.equal(refusal(named(judged, one)), 'CW-BACKUP-OLDER');
  assert.equal(refusal(named(judged, one), { older: true }), undefined);
  assert.equal(refusal(named(judged, two)), undefined);
});

test('where the newest was deleted, the next one is no newest', async () => {
  const [one, two] = [await signed(1), await signed(2)];
  const known = newestKnown(await judgeBackups([one, two], ours));
  const [left] = (await judgeBackups([one], ours, known)) as [JudgedBackup];
  assert.deepEqual(left.newer, { name: two.name, at: two.at, sequence: 2, missing: true });
  assert.throws(() => refuseWithoutFlags('web', left, {}), {
    code: 'CW-BACKUP-OLDER',
    message: /and it is not there any more$/,
    fix: /find out who deleted it/,
  });
  const [again] = (await judgeBackups([{ ...one, name: two.name }], ours, known)) as [JudgedBackup];
  assert.equal(refusal(again, all), 'CW-BACKUP-ALTERED', 'an old one under the name of the newest');
});

test('an altered newest is not passed over, and with no flag restored', async () => {
  const [one, two] = [await signed(1), await signed(2)];
  const judged = await judgeBackups([one, { ...two, sha256: '00'.repeat(32) }], ours);
  assert.equal(refusal(chooseBackup('web', judged, 'latest'), all), 'CW-BACKUP-ALTERED');
});

test('of each kind the newest are kept, those that people asked for always, and planted ones push none out', async () => {
  const kinds: BackupReason[] = ['schedule', 'upgrade', 'request'];
  const real = await Promise.all([1, 2, 3, 4].flatMap((at) => kinds.map((reason) => signed(at, { reason }))));
  const planted = Array.from({ length: 30 }, (_, at) => ({
    ...backup(at),
    name: `planted-${at}`,
    at: Date.UTC(2030, 0),
  }));
  const legacy = { ...backup(0), name: 'from before', sequence: 0 };
  const keep = { schedule: 3, upgrade: 1, request: Number.POSITIVE_INFINITY };
  const gone = superfluous(await judgeBackups([...real, ...planted, legacy], ours), keep);
  assert.deepEqual(
    gone.map(({ name, reason, sequence }) => (name === 'from before' ? name : `${reason} ${sequence}`)).sort(),
    ['from before', 'schedule 1', 'upgrade 1', 'upgrade 2', 'upgrade 3'],
  );
  assert.deepEqual(superfluous(await judgeBackups(real, ours)), []);
});

test('metadata that leads elsewhere, or is of no backup, is not read', async () => {
  const one = await signed(1);
  const file = metadataFile(one);
  assert.deepEqual(readMetadata(metadataOf(one), file), one);
  const { name } = backup(2);
  const wrong: object[] = [
    ...[{ name: '../../gateways/west' }, { name }, { cluster: '../x' }, { at: 'now' }, { at: 1e300 }, { bytes: -1 }],
    ...[{ reason: 'other' }, { sha256: '../x' }, { kubernetesVersion: '\u001b[2J' }, { sequence: 1.5 }],
    ...[{ authentication: { key: 'other', keyId: '00', mac: '00' } }, { keys: 'yes' }],
  ];
  for (const change of wrong)
    assert.equal(readMetadata(JSON.stringify({ ...one, ...change }), file), undefined, JSON.stringify(change));
});
