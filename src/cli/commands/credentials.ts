// Who has access: sessions and tokens of the API, and kubeconfigs of its clusters, as one list.
import { CausewayError } from '../../core/errors.ts';
import { type ControlClient, controlClient } from '../control/control-client.ts';
import { asTyped } from '../started-as.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import type { Status } from '../up/summary.ts';
import { table } from '../views/table.ts';

interface Listed {
  /** That of a kubeconfig begins with its cluster: shop/x1y2z3. */
  readonly id: string;
  readonly kind: 'session' | 'token' | 'kubeconfig';
  readonly person: string;
  readonly role: string;
  readonly cluster?: string;
  readonly from?: string;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly endsAt: number;
}

interface ListOptions {
  readonly person?: string;
  readonly dir?: string;
  readonly output: 'table' | 'json';
}

export async function runCredentialsList({ person, dir, output }: ListOptions): Promise<number> {
  const found = (await listAll(controlClient(platformDirectory(dir)))).filter(isOf(person));
  process.stdout.write(output === 'json' ? `${JSON.stringify(found, null, 2)}\n` : textOf(found));
  return 0;
}

interface RevokeOptions {
  readonly person?: string;
  readonly dir?: string;
}

export async function runCredentialsRevoke(ids: readonly string[], { person, dir }: RevokeOptions): Promise<number> {
  const client = controlClient(platformDirectory(dir));
  if ((ids.length === 0) === (person === undefined)) throw nothingNamed;
  const wanted = person === undefined ? ids : (await listAll(client)).filter(isOf(person)).map(({ id }) => id);
  for (const id of wanted) {
    await client.ask('DELETE', pathOf(id));
    process.stdout.write(`revoked ${id}\n`);
  }
  if (wanted.length === 0) process.stdout.write(`${person} has none\n`);
  return 0;
}

const isOf =
  (wanted: string | undefined) =>
  ({ person }: Listed): boolean =>
    wanted === undefined || person === wanted;

function pathOf(id: string): string {
  const [first = '', second] = id.split('/').map(encodeURIComponent);
  return second === undefined ? `/api/v1/credentials/${first}` : `/api/v1/clusters/${first}/kubeconfigs/${second}`;
}

async function listAll(client: ControlClient): Promise<Listed[]> {
  const { items } = JSON.parse(await client.ask('GET', '/api/v1/credentials')) as { items: Listed[] };
  const { clusters } = JSON.parse(await client.ask('GET', '/api/v1/status')) as Status;
  const kubeconfigs: Listed[] = [];
  for (const { name } of clusters.filter(({ managed }) => managed))
    kubeconfigs.push(...(await ofCluster(client, name)));
  return [...items, ...kubeconfigs];
}

/** The API server of a cluster keeps them; one that does not answer hides nothing of the others. */
async function ofCluster(client: ControlClient, cluster: string): Promise<Listed[]> {
  try {
    const path = `/api/v1/clusters/${encodeURIComponent(cluster)}/kubeconfigs`;
    const { items } = JSON.parse(await client.ask('GET', path)) as { items: Omit<Listed, 'kind'>[] };
    return items.map((item) => ({ ...item, kind: 'kubeconfig', cluster, id: `${cluster}/${item.id}` }));
  } catch (error) {
    process.stderr.write(asTyped(`warning: kubeconfigs of ${cluster} are not known: ${(error as Error).message}\n`));
    return [];
  }
}

function textOf(found: readonly Listed[]): string {
  if (found.length === 0) return 'none\n';
  const rows = found.map(({ id, kind, person, role, from, createdAt, endsAt }) => [
    ...[id, kind, person, role, from ?? ''],
    ...[timeOf(createdAt), timeOf(endsAt)],
  ]);
  return table(['ID', 'KIND', 'PERSON', 'ROLE', 'FROM', 'MADE', 'ENDS'], rows);
}

const timeOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

const nothingNamed = new CausewayError(
  'CW-CLI-CREDENTIALS',
  'what to revoke is not clear',
  'name ids of "causeway credentials list", or --person NAME for all that somebody has',
);
