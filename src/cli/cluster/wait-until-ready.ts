import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlClient } from '../../platform/control/control-client.ts';
import { progressTo } from '../../programs/progress.ts';
import type { Status } from '../up/summary.ts';

const lookMs = 250;

const statusOf = async (client: ControlClient): Promise<Status> =>
  JSON.parse(await client.ask('GET', '/api/v1/status')) as Status;

/** Processes of its control plane, to tell later whether they are others. */
export async function controlPlanePids(client: ControlClient, cluster: string): Promise<ReadonlySet<number>> {
  const { components } = await statusOf(client);
  return new Set(components.flatMap(({ scope, pid }) => (scope === `cluster/${cluster}` && pid ? [pid] : [])));
}

/**
 * Until a restarted cluster is ready: what is said of it may be of before for a moment, so its processes must be other
 * ones than these. Answers undefined then, else why it is not ready at the end of the time.
 */
export async function waitUntilReady(
  client: ControlClient,
  cluster: string,
  before: ReadonlySet<number>,
  waitMs: number,
): Promise<string | undefined> {
  const progress = progressTo(process.stderr);
  const deadline = Date.now() + waitMs;
  try {
    for (;;) {
      const reason = notReady(await statusOf(client), cluster, before);
      if (reason === undefined || Date.now() > deadline) return reason;
      progress.step(cluster, 'waiting until it is ready', reason);
      await sleep(lookMs);
    }
  } finally {
    progress.rest();
  }
}

function notReady({ clusters, components }: Status, cluster: string, before: ReadonlySet<number>): string | undefined {
  const own = components.filter(({ scope }) => scope === `cluster/${cluster}`);
  const old = own.find(({ pid }) => pid !== undefined && before.has(pid));
  if (old !== undefined) return `${old.name} is being restarted`;
  const sick = own.find(({ healthy }) => !healthy);
  if (sick !== undefined) return `${sick.name}: ${sick.why ?? sick.phase}`;
  const status = clusters.find(({ name }) => name === cluster);
  return status?.ready ? undefined : (status?.reason ?? 'it is being started');
}
