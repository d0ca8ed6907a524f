// From a backup to a data directory. What was there is put aside, never deleted; nothing must use it meanwhile.
import { existsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import { areThere, type Backup, type BackupStore, readKeys, writeKeys } from '../../../control-plane/index.ts';
import { CausewayError } from '../../../core/errors.ts';
import { suggestion } from '../../../core/suggest.ts';
import { needPrograms, type ProgramOptions } from '../../../programs/index.ts';
import { privateDirectory } from '../../../sys/private-files.ts';
import { createFileStore } from '../file-store.ts';
import { proveWhole } from './checksum.ts';
import { fileStore } from './file-store.ts';
import { type Exchange, exchangeAll, finishRestore } from './restore-journal.ts';
import { etcdMember, run, type Saved } from './snapshot.ts';

export interface Restored {
  readonly backup: Backup;
  /** Where the data of before is now; absent where there was none. */
  readonly aside?: string;
  /** Of the cluster: put in place, there already, or not in the backup. */
  readonly keys: 'restored' | 'kept' | 'missing';
}

export interface RestoreOptions {
  readonly store: BackupStore;
  /** A name, `latest`, or the absolute path of a snapshot. */
  readonly from: string;
  /** Of the keys in it. */
  readonly passphrase?: string | undefined;
  readonly programs?: ProgramOptions | undefined;
  readonly now?: (() => number) | undefined;
}

/**
 * Clients remember the newest revision that they have seen. As many revisions are left out, so that nothing they
 * remember comes again with another meaning.
 */
const revisionsLeftOut = 1_000_000_000;

type Target = Omit<Saved, 'kubernetesVersion'>;

/** Puts what a backup holds in its place: only while the cluster is stopped. */
export type Commit = () => Promise<Restored>;

/** All that may fail happens here, while the cluster still runs as it is. */
export async function prepareRestore(input: Target, options: RestoreOptions): Promise<Commit> {
  const { from, now = Date.now } = options;
  const { cluster, home } = input;
  const store = path.isAbsolute(from) ? fileStore(from, cluster) : options.store;
  const wanted = from === store.place ? 'latest' : from;
  const backup = chooseBackup(cluster, await store.list(), wanted, store.place);
  const staging = stagingIn(home);
  privateDirectory(home.backups);
  privateDirectory(home.root);
  finishRestore(home.root);
  await discard(staging);
  try {
    const keys = await prepareKeys(home, staging.pki, await store.fetchKeys(backup), options.passphrase);
    await prepareData(input, staging, backup, { ...options, store });
    return async () => commit(home, staging, { backup, keys }, new Date(now()));
  } catch (error) {
    await discard(staging);
    throw error;
  }
}

/** Beside what it will be, so that renaming is enough. */
interface Staging {
  readonly snapshot: string;
  readonly data: string;
  readonly pki: string;
}

const stagingIn = ({ backups, etcd, pki }: Target['home']): Staging => ({
  snapshot: path.join(backups, `.restore-${process.pid}.db`),
  data: `${etcd}.restoring`,
  pki: `${pki}.restoring`,
});

/** Also what one that was killed left. */
async function discard(staging: Staging): Promise<void> {
  for (const left of Object.values(staging)) await rm(left, { recursive: true, force: true });
}

async function prepareData(
  input: Target,
  { snapshot, data }: Staging,
  backup: Backup,
  { store, programs }: RestoreOptions,
): Promise<void> {
  const { etcdutl } = await needPrograms(['etcdutl'], programs);
  await store.fetch(backup, snapshot);
  await proveWhole(snapshot, backup);
  await run(etcdutl, ['snapshot', 'restore', snapshot, ...restoreFlags(input, data)]);
  await chmod(data, 0o700);
  await rm(snapshot);
}

function commit(home: Target['home'], staging: Staging, restored: Omit<Restored, 'aside'>, at: Date): Restored {
  const stamp = at.toISOString().replaceAll(':', '-');
  const below = (file: string): string => path.relative(home.root, file);
  const exchange = (place: string, ready: string): Exchange => ({
    place: below(place),
    ready: below(ready),
    aside: below(asideOf(place, stamp)),
  });
  const hadData = existsSync(home.etcd);
  exchangeAll(home.root, {
    backup: restored.backup.name,
    exchanges: [
      ...(restored.keys === 'restored' ? [exchange(home.pki, staging.pki)] : []),
      exchange(home.etcd, staging.data),
    ],
  });
  return { ...restored, ...(hadData ? { aside: asideOf(home.etcd, stamp) } : {}) };
}

const asideOf = (place: string, stamp: string): string => `${place}.before-${stamp}`;

/** Ready to be put in their place, unless these are there already. */
async function prepareKeys(
  home: Target['home'],
  ready: string,
  saved: string | undefined,
  passphrase: string | undefined,
): Promise<Restored['keys']> {
  if (saved === undefined) return 'missing';
  const keys = readKeys(saved, passphrase);
  if (await areThere(createFileStore(home), keys)) return 'kept';
  await writeKeys(createFileStore({ ...home, pki: ready }), keys);
  return 'restored';
}

function restoreFlags(input: Target, data: string): string[] {
  const { name, peerUrl } = etcdMember(input);
  return [
    ...['--data-dir', data, '--name', name],
    ...['--initial-cluster', `${name}=${peerUrl}`, '--initial-advertise-peer-urls', peerUrl],
    ...['--bump-revision', String(revisionsLeftOut), '--mark-compacted'],
  ];
}

/** A name of one, or `latest`. */
export function chooseBackup(cluster: string, backups: readonly Backup[], from: string, place?: string): Backup {
  const name = from.replace(/\.(db|json)$/, '');
  const chosen = from === 'latest' ? backups[0] : backups.find((backup) => backup.name === name);
  if (chosen !== undefined) return chosen;
  const what = from === 'latest' ? 'no backup' : `no backup ${from}`;
  throw new CausewayError(
    'CW-BACKUP-NONE',
    `there is ${what} of cluster ${cluster}${place === undefined ? '' : ` in ${place}`}`,
    backups.length === 0
      ? `take one while it runs: causeway cluster backup ${cluster}`
      : suggestion(
          name,
          backups.map((backup) => backup.name),
        ),
  );
}
