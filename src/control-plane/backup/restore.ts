// From a backup to a data directory. What was there is put aside, never deleted; nothing must use it meanwhile.
import { existsSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { needPrograms } from '../../programs/need-programs.ts';
import type { ProgramOptions } from '../../programs/surroundings.ts';
import { etcdMember } from '../components/etcd.ts';
import { privateDirectory } from '../private-files.ts';
import type { Backup, BackupStore } from './backup.ts';
import { proveWhole } from './checksum.ts';
import { fileStore } from './file-store.ts';
import { areThere, readKeys, writeKeys } from './keys.ts';
import { run, type Saved } from './snapshot.ts';

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

/** The data that a backup holds, ready to be put in its place. */
export interface PreparedRestore {
  readonly backup: Backup;
  /** Only while the cluster is stopped. */
  commit(): Promise<Restored>;
  discard(): Promise<void>;
}

/** All that may fail happens here, while the cluster still runs as it is. */
export async function prepareRestore(
  input: Omit<Saved, 'kubernetesVersion'>,
  options: RestoreOptions,
): Promise<PreparedRestore> {
  const { from, now = Date.now } = options;
  const store = path.isAbsolute(from) ? fileStore(from, input.cluster) : options.store;
  const { home } = input;
  const backup = await choose(input.cluster, store, from);
  const { etcdutl } = await needPrograms(['etcdutl'], options.programs);
  const file = path.join(home.backups, `.restore-${process.pid}.db`);
  const [data, pki] = [home.etcd, home.pki].map((directory) => `${directory}.restoring`) as [string, string];
  const discard = async (): Promise<void> => {
    for (const left of [file, data, pki]) await rm(left, { recursive: true, force: true });
  };
  privateDirectory(home.backups);
  privateDirectory(home.root);
  await discard();
  let keys: Restored['keys'];
  try {
    keys = prepareKeys(home.pki, pki, await store.bringKeys(backup), options.passphrase);
    await store.bring(backup, file);
    await proveWhole(file, backup);
    await run(etcdutl, ['snapshot', 'restore', file, ...restoreFlags(input, data)]);
    await chmod(data, 0o700);
    await rm(file);
  } catch (error) {
    await discard();
    throw error;
  }
  const commit = async (): Promise<Restored> => {
    const stamp = new Date(now()).toISOString().replaceAll(':', '-');
    if (keys === 'restored') await exchange(home.pki, pki, stamp);
    const aside = await exchange(home.etcd, data, stamp);
    return { backup, keys, ...(aside === undefined ? {} : { aside }) };
  };
  return { backup, commit, discard };
}

/** Ready to be put in their place, unless these are there already. */
function prepareKeys(
  present: string,
  ready: string,
  saved: string | undefined,
  passphrase: string | undefined,
): Restored['keys'] {
  if (saved === undefined) return 'missing';
  const keys = readKeys(saved, passphrase);
  if (areThere(present, keys)) return 'kept';
  writeKeys(ready, keys);
  return 'restored';
}

/** Where what was there is now. */
async function exchange(place: string, ready: string, stamp: string): Promise<string | undefined> {
  const aside = existsSync(place) ? `${place}.before-${stamp}` : undefined;
  if (aside !== undefined) await rename(place, aside);
  await rename(ready, place);
  return aside;
}

function restoreFlags(input: Pick<Saved, 'ports'>, data: string): string[] {
  const { name, peerUrl } = etcdMember(input);
  return [
    ...['--data-dir', data, '--name', name],
    ...['--initial-cluster', `${name}=${peerUrl}`, '--initial-advertise-peer-urls', peerUrl],
    ...['--bump-revision', String(revisionsLeftOut), '--mark-compacted'],
  ];
}

async function choose(cluster: string, store: BackupStore, from: string): Promise<Backup> {
  const backups = await store.list();
  const chosen =
    from === 'latest' || from === store.place
      ? backups[0]
      : backups.find(({ name }) => name === from.replace(/\.(db|json)$/, ''));
  if (chosen !== undefined) return chosen;
  const what = from === 'latest' ? 'no backup' : `no backup ${from}`;
  throw new CausewayError(
    'CW-BACKUP-NONE',
    `there is ${what} of cluster ${cluster} in ${store.place}`,
    backups.length === 0
      ? `take one while it runs: causeway cluster backup ${cluster}`
      : `choose one of those that "causeway cluster backups ${cluster}" lists`,
  );
}
