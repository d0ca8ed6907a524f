// Takes and lists backups of a cluster.
import type { Backup } from '../../control-plane/backup/backup.ts';
import { megabytes } from '../../programs/progress.ts';
import { backupsOf, takeBackup } from '../cluster/backups.ts';
import { say } from '../started-as.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { table } from '../views/table.ts';

interface Options {
  readonly dir?: string;
}

export async function runClusterBackup(cluster: string, { dir }: Options): Promise<number> {
  const { name, bytes } = await takeBackup(platformDirectory(dir), cluster);
  process.stdout.write(`${name}, ${megabytes(bytes)}\n`);
  return 0;
}

export async function runClusterBackups(
  cluster: string,
  { dir, output }: Options & { output: 'table' | 'json' },
): Promise<number> {
  const { items } = await backupsOf(platformDirectory(dir), cluster);
  if (output === 'json') process.stdout.write(`${JSON.stringify(items, undefined, 2)}\n`);
  else say(listText(cluster, items));
  return 0;
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
