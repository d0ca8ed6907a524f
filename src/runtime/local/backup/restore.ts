// From a backup to a data directory. What was there is put aside, never deleted; nothing must use it meanwhile.
import { existsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  areThere,
  type Backup,
  type BackupStore,
  chooseBackup,
  type JudgedBackup,
  madeAs,
  type RestoreFlags,
  readClusterState,
  readKeys,
  refuseWithoutFlags,
  stateValue,
  writeClusterState,
  writeKeys,
} from '../../../control-plane/index.ts';
import { needPrograms, type ProgramOptions } from '../../../programs/index.ts';
import { privateDirectory, tellingOfDisk, writePrivate } from '../../../sys/private-files.ts';
import { createFileStore, fileOf } from '../file-store.ts';
import { proveKeys, proveWhole } from './checksum.ts';
import { fileStore } from './file-store.ts';
import { judgedBackups, remember } from './judged-backups.ts';
import { type Exchange, exchangeAll, finishRestore } from './restore-journal.ts';
import { etcdMember, run, type Saved } from './snapshot.ts';

export interface Restored {
  readonly backup: JudgedBackup;
  /** Where the data of before is now; absent where there was none. */
  readonly aside?: string;
  /** Of the cluster: put in place, there already, or not in the backup. */
  readonly keys: 'restored' | 'kept' | 'missing';
}

export interface ChoiceOptions {
  readonly store: BackupStore;
  /** A name, `latest`, or the absolute path of a snapshot. */
  readonly from: string;
  /** Of the keys in it, and of what authenticates it. */
  readonly passphrase?: string | undefined;
}

export interface RestoreOptions extends ChoiceOptions, RestoreFlags {
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

type Owner = Pick<Target, 'cluster' | 'home'>;

/** Which backup is meant, and what is known of it. */
export async function chosenBackup(owner: Owner, options: ChoiceOptions): Promise<JudgedBackup> {
  const { store, from } = placeOf(owner, options);
  return chooseBackup(owner.cluster, await judgedBackups(owner, { ...options, store }), from, store.place);
}

const placeOf = ({ cluster }: Owner, { store, from }: ChoiceOptions): Pick<ChoiceOptions, 'store' | 'from'> =>
  path.isAbsolute(from) ? { store: fileStore(from, cluster), from: 'latest' } : { store, from };

/** All that may fail happens here, while the cluster still runs as it is. */
export const prepareRestore = (input: Target, options: RestoreOptions): Promise<Commit> =>
  tellingOfDisk(`${input.cluster} was not restored`, () => prepare(input, options));

async function prepare(input: Target, options: RestoreOptions): Promise<Commit> {
  const { now = Date.now } = options;
  const { cluster, home } = input;
  const { store } = placeOf(input, options);
  const backup = await chosenBackup(input, options);
  refuseWithoutFlags(cluster, backup, options);
  const staging = stagingIn(home);
  privateDirectory(home.root);
  finishRestore(home.root);
  await discard(staging);
  try {
    const saved = await store.fetchKeys(backup);
    proveKeys(saved, backup);
    const keys = await prepareKeys(home, staging.pki, saved, options.passphrase);
    if (keys === 'restored') await prepareState(home, staging.state, backup);
    await prepareData(input, staging, backup, { ...options, store });
    const exchange = async (): Promise<Restored> => {
      const done = commit(home, staging, { backup, keys }, new Date(now()));
      if (backup.authenticity === 'authenticated') remember(input, backup.newer ?? backup);
      return done;
    };
    return () => tellingOfDisk(`the restore of ${cluster} is not finished; the next start goes on with it`, exchange);
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
  readonly state: string;
}

/** Not where backups are: nobody changes it after it was looked at. */
const stagingIn = ({ root, etcd, pki }: Target['home']): Staging => ({
  snapshot: `${etcd}.restoring.db`,
  data: `${etcd}.restoring`,
  pki: `${pki}.restoring`,
  state: `${fileOf({ root, pki }, stateValue)}.restoring`,
});

/** Also what one that was killed left. */
async function discard(staging: Staging): Promise<void> {
  for (const left of Object.values(staging)) await rm(left, { recursive: true, force: true });
}

async function prepareData(
  input: Target,
  { snapshot, data }: Staging,
  backup: JudgedBackup,
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
      ...(restored.keys === 'restored'
        ? [exchange(home.pki, staging.pki), exchange(fileOf(home, stateValue), staging.state)]
        : []),
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

/**
 * With the keys of another cluster come its nodes, so it goes on as that one was made. Where there is no state yet, the next
 * start makes one.
 */
async function prepareState(home: Target['home'], ready: string, { made = {} }: Backup): Promise<void> {
  const state = await readClusterState({ store: createFileStore(home), hasData: async () => true });
  if (state === undefined) return;
  await writeClusterState({ put: async (_, text) => writePrivate(ready, text) }, madeAs(state, made));
}

function restoreFlags(input: Target, data: string): string[] {
  const { name, peerUrl } = etcdMember(input);
  return [
    ...['--data-dir', data, '--name', name],
    ...['--initial-cluster', `${name}=${peerUrl}`, '--initial-advertise-peer-urls', peerUrl],
    ...['--bump-revision', String(revisionsLeftOut), '--mark-compacted'],
  ];
}
