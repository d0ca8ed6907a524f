// Backups of a cluster: through the platform that runs, or without it where that is possible.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Backup } from '../../control-plane/backup/backup.ts';
import type { Restored } from '../../control-plane/backup/restore.ts';
import { megabytes } from '../../programs/progress.ts';
import { controlClient, isNotRunning } from '../../up/control/control-client.ts';
import { offlineCluster, restoreOffline } from '../cluster/offline.ts';
import { say } from '../started-as.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { table } from '../views/table.ts';

interface Options {
  readonly dir?: string;
}

const commandPath = (cluster: string, what: 'backups' | 'restore'): string =>
  `/control/clusters/${encodeURIComponent(cluster)}/${what}`;

export async function runClusterBackup(cluster: string, { dir }: Options): Promise<number> {
  const answer = await controlClient(platformDirectory(dir)).ask('POST', commandPath(cluster, 'backups'));
  const { name, bytes } = JSON.parse(answer) as Backup;
  process.stdout.write(`${name}, ${megabytes(bytes)}\n`);
  return 0;
}

export async function runClusterBackups(
  cluster: string,
  { dir, output }: Options & { output: 'table' | 'json' },
): Promise<number> {
  const directory = platformDirectory(dir);
  const backups = await ifRunning(
    async () =>
      (JSON.parse(await controlClient(directory).ask('GET', commandPath(cluster, 'backups'))) as Listed).items,
    async () => (await offlineCluster(directory, cluster)).store.list(),
  );
  if (output === 'json') process.stdout.write(`${JSON.stringify(backups, undefined, 2)}\n`);
  else say(listText(cluster, backups));
  return 0;
}

interface Listed {
  readonly items: readonly Backup[];
}

export async function runClusterRestore(cluster: string, options: Options & { from: string }): Promise<number> {
  const directory = platformDirectory(options.dir);
  const from = existsSync(options.from) ? path.resolve(options.from) : options.from;
  const restored = await ifRunning(
    async () =>
      JSON.parse(await controlClient(directory).ask('POST', commandPath(cluster, 'restore'), { from })) as Restored,
    () => restoreOffline(directory, cluster, from),
  );
  process.stdout.write(restoredText(cluster, restored));
  return 0;
}

async function ifRunning<Result>(online: () => Promise<Result>, offline: () => Promise<Result>): Promise<Result> {
  try {
    return await online();
  } catch (error) {
    if (isNotRunning(error)) return offline();
    throw error;
  }
}

function listText(cluster: string, backups: readonly Backup[]): string {
  if (backups.length === 0) return `no backup of ${cluster} yet; "causeway cluster backup ${cluster}" takes one\n`;
  const rows = backups.map(({ name, reason, kubernetesVersion, bytes, keys }) => [
    name,
    reason,
    kubernetesVersion,
    megabytes(bytes),
    keys ? 'yes' : 'no',
  ]);
  return table(['NAME', 'REASON', 'KUBERNETES', 'SIZE', 'KEYS'], rows);
}

const restoredText = (cluster: string, { backup, aside, keys }: Restored): string =>
  [
    `${cluster} has the data of ${backup.name} again`,
    ...(keys === 'restored' ? ['its keys are those of the backup: old kubeconfigs and tokens are good again'] : []),
    ...(keys === 'missing'
      ? ['the backup holds no keys: its secrets can be read only with those it was taken with']
      : []),
    ...(aside === undefined ? [] : [`what it had before is in ${aside}; delete it when nobody misses anything`]),
    '',
  ].join('\n');
