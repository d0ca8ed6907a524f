// Takes and lists backups of a cluster.
import type { Backup, JudgedBackup, RestoreFlags } from '../../control-plane/index.ts';
import { megabytes } from '../../core/amounts.ts';
import type { Restored } from '../../runtime/local/index.ts';
import type { RestoreRequest } from '../control/backup-commands.ts';
import { type ControlClient, controlClient, isNotRunning } from '../control/control-client.ts';
import { say } from '../started-as.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { table } from '../views/table.ts';
import { ofKnownCluster } from './cluster-list.ts';

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
  const items = await (await backupsOf(platformDirectory(dir), cluster)).list();
  if (output === 'json') process.stdout.write(`${JSON.stringify(items, undefined, 2)}\n`);
  else say(listText(cluster, items));
  return 0;
}

function listText(cluster: string, backups: readonly JudgedBackup[]): string {
  if (backups.length === 0) return `no backup of ${cluster} yet; "causeway cluster backup ${cluster}" takes one\n`;
  const rows = backups.map(({ name, reason, kubernetesVersion, bytes, keys, authenticity }) => [
    name,
    reason,
    kubernetesVersion,
    megabytes(bytes),
    keys ? 'yes' : 'no',
    authenticityTexts[authenticity],
  ]);
  return table(['NAME', 'REASON', 'KUBERNETES', 'SIZE', 'KEYS', 'AUTHENTICATED'], rows);
}

const authenticityTexts: Readonly<Record<JudgedBackup['authenticity'], string>> = {
  authenticated: 'yes',
  unauthenticated: 'no',
  'other-key': 'no: another key',
  'other-cluster': 'no: another cluster',
  altered: 'no: altered',
};

// Backups of a cluster: through the platform that runs, or without it where that is possible.

export interface Backups {
  /** Newest first. */
  list(): Promise<readonly JudgedBackup[]>;
  /** Which one a restore would take. */
  choose(from: string): Promise<JudgedBackup>;
  restore(from: string, flags: RestoreFlags): Promise<Restored>;
  /** Of the platform; absent where none runs. */
  readonly client?: ControlClient;
}

const commandPath = (cluster: string, what: 'backups' | 'backups/choose' | 'restore'): string =>
  `/control/clusters/${encodeURIComponent(cluster)}/${what}`;

export async function takeBackup(directory: string, cluster: string): Promise<Backup> {
  const client = controlClient(directory);
  const answer = await ofKnownCluster(client, cluster, () => client.ask('POST', commandPath(cluster, 'backups')));
  return JSON.parse(answer) as Backup;
}

export async function backupsOf(directory: string, cluster: string): Promise<Backups> {
  const client = controlClient(directory);
  const list = async (): Promise<readonly JudgedBackup[]> => {
    const answer = await ofKnownCluster(client, cluster, () => client.ask('GET', commandPath(cluster, 'backups')));
    return (JSON.parse(answer) as { readonly items: readonly JudgedBackup[] }).items;
  };
  try {
    const items = await list();
    return { ...online(client, cluster), list: async () => items };
  } catch (error) {
    if (!isNotRunning(error)) throw error;
    return offline(directory, cluster);
  }
}

function online(client: ControlClient, cluster: string): Omit<Backups, 'list'> {
  const choice = (from: string): string => `${commandPath(cluster, 'backups/choose')}?from=${encodeURIComponent(from)}`;
  return {
    choose: async (from) => JSON.parse(await client.ask('GET', choice(from))) as JudgedBackup,
    async restore(from, flags) {
      const request: RestoreRequest = { from, ...flags };
      return JSON.parse(await client.ask('POST', commandPath(cluster, 'restore'), request)) as Restored;
    },
    client,
  };
}

async function offline(directory: string, cluster: string): Promise<Backups> {
  const { chooseOffline, listOffline, restoreOffline } = await import('../cluster/offline.ts');
  return {
    list: () => listOffline(directory, cluster),
    choose: (from) => chooseOffline(directory, cluster, from),
    restore: (from, flags) => restoreOffline(directory, cluster, from, flags),
  };
}
