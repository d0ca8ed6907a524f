// Deletes a cluster for good: its manifest, its control plane, its data. Asks first.
import { setTimeout as sleep } from 'node:timers/promises';
import { CausewayError } from '../../core/errors.ts';
import { type ControlClient, controlClient } from '../../up/control/control-client.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import type { Status } from '../up/summary.ts';

interface Options {
  readonly dir?: string;
  readonly yes?: boolean;
}

const patienceMs = 90_000;

export async function runClusterDelete(cluster: string, { dir, yes }: Options): Promise<number> {
  const client = controlClient(platformDirectory(dir));
  if (!(await has(client, cluster))) throw notThere(cluster);
  if (!yes) await ask(cluster);
  await client.ask('DELETE', `/api/v1/resources/Cluster/${encodeURIComponent(cluster)}`);
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline && (await has(client, cluster))) await sleep(200);
  process.stdout.write(`${cluster} was deleted; its backups are kept\n`);
  return 0;
}

async function has(client: ControlClient, cluster: string): Promise<boolean> {
  const { clusters, components } = JSON.parse(await client.ask('GET', '/api/v1/status')) as Status;
  return (
    clusters.some(({ name }) => name === cluster) || components.some(({ scope }) => scope === `cluster/${cluster}`)
  );
}

async function ask(cluster: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CausewayError('CW-CLI-YES', 'nobody is there to be asked whether it is meant', 'add --yes');
  const { text } = await import('@clack/prompts');
  const answer = await text({ message: `This deletes ${cluster} with all of its data. Write its name to go on.` });
  if (answer !== cluster)
    throw new CausewayError('CW-CLI-CANCELLED', 'nothing was deleted', 'run the command again, and write the name');
}

const notThere = (cluster: string): CausewayError =>
  new CausewayError('CW-UP-NO-CLUSTER', `there is no cluster "${cluster}"`, '"causeway status" lists them');
