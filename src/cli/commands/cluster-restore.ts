// Brings a cluster back to what was saved of it. Asks first, because what was written since is lost to it.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JudgedBackup, refuseWithoutFlags, whyUnauthenticated } from '../../control-plane/index.ts';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { progressTo } from '../../programs/index.ts';
import type { Restored } from '../../runtime/local/index.ts';
import { confirmByName, type Question } from '../confirm.ts';
import type { ControlClient } from '../control/control-client.ts';
import { readDuration } from '../duration-option.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import type { Status } from '../up/summary.ts';
import { backupsOf } from './cluster-backup.ts';

interface Options {
  readonly dir?: string;
  readonly from: string;
  readonly yes?: boolean;
  readonly older?: boolean;
  readonly unauthenticated?: boolean;
  readonly wait: string;
}

export async function runClusterRestore(cluster: string, options: Options): Promise<number> {
  const waitMs = readDuration('--wait', options.wait);
  const backups = await backupsOf(platformDirectory(options.dir), cluster);
  const file = existsSync(options.from) ? path.resolve(options.from) : undefined;
  const backup = await backups.choose(file ?? options.from);
  const { older = false, unauthenticated = false } = options;
  refuseWithoutFlags(cluster, backup, { older, unauthenticated });
  if (!options.yes) await confirmByName(cluster, questionAbout(cluster, backup, Date.now()));
  const { client } = backups;
  const before = client === undefined ? undefined : await controlPlanePids(client, cluster);
  // By its name from here on: a newer one may be taken while somebody thinks about the answer.
  const restored = await backups.restore(file ?? backup.name, { older, unauthenticated });
  if (client === undefined || before === undefined) process.stdout.write(restoredText(cluster, restored, ''));
  else {
    const reason = await waitUntilReady(client, cluster, before, waitMs);
    if (reason !== undefined) throw notReady(cluster, restored, options.wait, reason);
    process.stdout.write(restoredText(cluster, restored, ', and is ready'));
  }
  return exitCodes.ok;
}

export function questionAbout(cluster: string, backup: JudgedBackup, now: number): Question {
  const { name, at, newer, authenticity } = backup;
  const taken = `taken ${ageText(now - at)} ago, at ${timeText(at)}`;
  const notNewest =
    newer === undefined ? '' : ` It is not the newest, which is ${newer.name}, at ${timeText(newer.at)}.`;
  const unproven =
    authenticity === 'authenticated'
      ? ''
      : ` Nothing proves who wrote it (${whyUnauthenticated(backup)}): whoever did decides what is in ${cluster}, its roles and keys too.`;
  return {
    about: `${cluster} goes back to the backup ${name}, ${taken}. Everything that was written to it since then is lost to it; what it has now is put aside, and not deleted.${notNewest}${unproven}`,
    whether: `whether ${cluster} may go back to ${name}, ${taken}, and lose everything that was written to it since`,
    cancelled: 'nothing was restored',
  };
}

const timeText = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace(/\..*/, ' UTC');

/** The two largest units. */
function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([amount]) => amount > 0);
  const shown = parts.slice(first < 0 ? 3 : first).slice(0, 2);
  return shown.flatMap(([amount, unit], at) => (amount > 0 || at === 0 ? [`${amount} ${unit}`] : [])).join(' ');
}

const restoredText = (cluster: string, { backup, aside, keys }: Restored, state: string): string =>
  [
    `${cluster} has the data of ${backup.name} again${state}`,
    ...(keys === 'restored' ? ['its keys are those of the backup: old kubeconfigs and tokens are good again'] : []),
    ...(keys === 'missing'
      ? ['the backup holds no keys: its secrets can be read only with those it was taken with']
      : []),
    ...(aside === undefined ? [] : [`what it had before is in ${aside}; delete it when nobody misses anything`]),
    '',
  ].join('\n');

const notReady = (cluster: string, { backup, aside }: Restored, wait: string, reason: string): CausewayError =>
  new CausewayError(
    'CW-CLUSTER-NOT-READY',
    `${cluster} has the data of ${backup.name} again, and was not ready within ${wait}: ${reason}`,
    `"causeway status" tells how it goes on, "causeway logs kube-apiserver --cluster ${cluster}" why it does not${aside === undefined ? '' : `; what it had before is in ${aside}`}`,
    exitCodes.internal,
  );

const pollMs = 250;

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
  const deadline = performance.now() + waitMs;
  try {
    for (;;) {
      const reason = reasonNotReady(await statusOf(client), cluster, before);
      if (reason === undefined || performance.now() > deadline) return reason;
      progress.step(cluster, 'waiting until it is ready', reason);
      await sleep(pollMs);
    }
  } finally {
    progress.rest();
  }
}

function reasonNotReady(
  { clusters, components }: Status,
  cluster: string,
  before: ReadonlySet<number>,
): string | undefined {
  const own = components.filter(({ scope }) => scope === `cluster/${cluster}`);
  const old = own.find(({ pid }) => pid !== undefined && before.has(pid));
  if (old !== undefined) return `${old.name} is being restarted`;
  const sick = own.find(({ healthy }) => !healthy);
  if (sick !== undefined) return `${sick.name}: ${sick.why ?? sick.phase}`;
  const status = clusters.find(({ name }) => name === cluster);
  return status?.ready ? undefined : (status?.reason ?? 'it is being started');
}
