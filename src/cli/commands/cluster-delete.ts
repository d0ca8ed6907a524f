// Deletes a cluster for good: its manifest, its control plane, its data. Asks first.

import { setTimeout as sleep } from 'node:timers/promises';
import { CausewayError } from '../../core/errors.ts';
import { noSuchCluster } from '../../platform/index.ts';
import { confirmByName } from '../confirm.ts';
import { controlClient } from '../control/control-client.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { clustersOf } from './cluster-list.ts';

interface Options {
  readonly dir?: string;
  readonly yes?: boolean;
}

const timeoutMs = 90_000;

export async function runClusterDelete(cluster: string, { dir, yes }: Options): Promise<number> {
  const client = controlClient(platformDirectory(dir));
  const known = await clustersOf(client);
  if (!known.includes(cluster)) throw noSuchCluster(cluster, known);
  if (!yes)
    await confirmByName(cluster, {
      about: `This deletes ${cluster} with all of its data.`,
      whether: `whether ${cluster} may be deleted with all of its data`,
      cancelled: 'nothing was deleted',
    });
  await client.ask('DELETE', `/api/v1/resources/Cluster/${encodeURIComponent(cluster)}`);
  const deadline = performance.now() + timeoutMs;
  while ((await clustersOf(client)).includes(cluster)) {
    if (performance.now() > deadline) throw notDeletedInTime(cluster);
    await sleep(200);
  }
  process.stdout.write(`${cluster} was deleted; its backups are kept\n`);
  return 0;
}

const notDeletedInTime = (cluster: string): CausewayError =>
  new CausewayError(
    'CW-UP-STILL-THERE',
    `${cluster} is being deleted, and has not ended within ${timeoutMs / 1000} s`,
    '"causeway status" shows what is left of it; it goes on by itself',
  );
