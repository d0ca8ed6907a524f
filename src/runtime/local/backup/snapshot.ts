// A snapshot of a running etcd, taken by etcd's own client and looked through before it counts.
import { hash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type Backup,
  type BackupReason,
  type BackupStore,
  backupName,
  type ControlPlaneInput,
  madeOf,
  pkiRefs,
  readClusterState,
  type ValueName,
  workloadNames,
} from '../../../control-plane/index.ts';
import { CausewayError } from '../../../core/errors.ts';
import { needPrograms, type ProgramOptions, runTool } from '../../../programs/index.ts';
import { privateDirectory, tellingOfDisk } from '../../../sys/private-files.ts';
import { createFileStore, fileOf } from '../file-store.ts';
import type { ClusterPlace } from '../home.ts';
import { loopbackAddress } from '../resolve-workload.ts';
import { checksumOf } from './checksum.ts';
import { authenticated, remember } from './judged-backups.ts';

export type Saved = ClusterPlace & Pick<ControlPlaneInput, 'kubernetesVersion'>;

/** Who the only member of the store is; a snapshot is restored for exactly this one. */
export const etcdMember = (place: ClusterPlace): Readonly<Record<'name' | 'clientUrl' | 'peerUrl', string>> => ({
  name: workloadNames.etcd,
  clientUrl: `https://${loopbackAddress(place, workloadNames.etcd, 'client')}`,
  peerUrl: `https://${loopbackAddress(place, workloadNames.etcd, 'peer')}`,
});

export interface SnapshotOptions {
  readonly reason: BackupReason;
  readonly store: BackupStore;
  /** Of the cluster, as they may be kept there. */
  readonly keys?: string | undefined;
  /** Authenticates it; without one a key of the platform does. */
  readonly passphrase?: string | undefined;
  readonly programs?: ProgramOptions | undefined;
  readonly now?: (() => number) | undefined;
}

/** Resolves when the store has all of it. */
export const takeBackup = (input: Saved, options: SnapshotOptions): Promise<Backup> =>
  tellingOfDisk(`${input.cluster} was not saved`, () => take(input, options));

async function take(input: Saved, options: SnapshotOptions): Promise<Backup> {
  const { reason, store, keys, programs, now = Date.now } = options;
  const tools = await needPrograms(['etcdctl', 'etcdutl'], programs);
  const at = now();
  const name = backupName(at, reason);
  privateDirectory(input.home.backups);
  const file = path.join(input.home.backups, `.${name}.part`);
  try {
    await save(tools.etcdctl, input, file);
    await run(tools.etcdutl, ['snapshot', 'status', file]);
    const { bytes, sha256 } = { bytes: (await stat(file)).size, sha256: await checksumOf(file) };
    const { cluster, kubernetesVersion } = input;
    const holds = keys === undefined ? { keys: false } : { keys: true, keysSha256: hash('sha256', keys) };
    const state = await readClusterState({ store: createFileStore(input.home), hasData: async () => true });
    const written: Backup = {
      ...{ name, cluster, at, reason, kubernetesVersion, bytes, sha256, ...holds },
      ...(state === undefined ? {} : { made: madeOf(state) }),
    };
    const backup = await authenticated(input, written, options);
    await store.add(file, backup, keys);
    remember(input, backup);
    return backup;
  } finally {
    for (const left of [file, `${file}.part`]) await rm(left, { force: true });
  }
}

async function save(etcdctl: string, input: Saved, file: string): Promise<void> {
  const at = (value: ValueName): string => fileOf(input.home, value);
  const { etcdCa, backup } = pkiRefs;
  const access = ['--cacert', at(etcdCa.cert), '--cert', at(backup.cert), '--key', at(backup.key)];
  const ask = (...args: string[]): Promise<string> =>
    run(etcdctl, ['--endpoints', etcdMember(input).clientUrl, ...access, ...args]);
  // Saving waits for ever for an etcd that is not there.
  await ask('endpoint', 'health');
  await ask('snapshot', 'save', file);
}

const toolTimeoutMs = 10 * 60_000;

export async function run(program: string, args: readonly string[]): Promise<string> {
  // Its own settings could come from the environment, and would be another cluster's.
  const { PATH, HOME } = process.env;
  const { code, stdout, stderr } = await runTool(program, args, { env: { PATH, HOME }, timeout: toolTimeoutMs });
  if (code === 0) return stdout;
  throw new CausewayError(
    'CW-BACKUP-FAILED',
    `${path.basename(program)} could not do its part of the backup: ${lastWords(stderr)}`,
    'see that etcd of the cluster works ("causeway status") and that there is room on the disk',
  );
}

/** etcd's tools say much on the way; what went wrong comes last. */
const lastWords = (said: string): string => said.trim().split('\n').at(-1)?.slice(0, 500) || 'it does not say why';
