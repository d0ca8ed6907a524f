// Which real workers this machine has had since it started, so that none stays for ever when nobody wants it any more.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PlatformHome } from '../../../../control-plane/home.ts';
import type { Log } from '../../../../net/log.ts';
import { withLock } from '../../../../sys/lock.ts';
import type { WorkerAddresses } from './addresses.ts';
import { type Layout, workerId } from './layout.ts';
import { removeCovered } from './mounts.ts';
import { sweep } from './sweep.ts';

const directory = '/run/causeway-workers';
/** Whoever claims and whoever removes what all workers share take turns. */
const lock = `${directory}.lock`;
const fileOf = (id: string): string => path.join(directory, id);

/** What it was made as; a worker that is to be anything else is made anew. */
interface Claim {
  readonly layout: Layout;
  readonly addresses: WorkerAddresses;
}

export async function claim(wanted: Claim): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await withLock(lock, () => writeFile(fileOf(wanted.layout.id), JSON.stringify(wanted), { mode: 0o600 }), {
    every: 20,
  });
}

export async function isClaimed(wanted: Claim): Promise<boolean> {
  const known = await claimOf(wanted.layout.id);
  return JSON.stringify(known) === JSON.stringify(wanted);
}

const claimOf = async (id: string): Promise<Claim | undefined> => {
  const text = await readFile(fileOf(id), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Claim);
};

/** Takes away what is there under this claim. */
export async function release(layout: Layout): Promise<void> {
  await sweep(layout);
  await withLock(
    lock,
    async () => {
      await rm(fileOf(layout.id), { force: true });
      if ((await claimedIds()).length === 0) removeCovered(layout);
    },
    { every: 20 },
  );
}

const claimedIds = (): Promise<string[]> => readdir(directory).catch(() => []);

/** What an earlier run on these manifests left, when this one wants no real worker. */
export async function releaseOwn(home: PlatformHome, log: Log): Promise<void> {
  const left = await claimOf(workerId(home));
  if (left === undefined) return;
  log.warn('removing the real worker that an earlier run left');
  await release(left.layout);
}

/** A worker whose directory exists belongs to the platform there, which takes care of it itself. */
export async function releaseAbandoned(log: Log): Promise<void> {
  for (const id of await claimedIds()) {
    const left = await claimOf(id);
    if (left === undefined || existsSync(left.layout.root)) continue;
    log.warn(`removing what is left of a real worker whose directory is gone: ${left.layout.root}`);
    await release(left.layout);
  }
}
