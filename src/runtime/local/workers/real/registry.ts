// Which real workers this machine has had since it started, so that none stays for ever when nobody wants it any more.
import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from '../../../../sys/lock.ts';
import type { Log } from '../../../../sys/log.ts';
import type { PlatformHome } from '../../home.ts';
import type { WorkerAddresses } from './addresses.ts';
import { controlGroupProcesses, removeControlGroup } from './control-groups.ts';
import { type Layout, namespaceFile, workerId } from './layout.ts';
import { toolFailed } from './machine.ts';
import { removeCovered, removeMounts } from './mounts.ts';
import { removeNetwork } from './network.ts';

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
  await cleanUp(layout);
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

// Takes away whatever is left of a worker, whoever was killed in between: processes first, then what they held.

export async function cleanUp(layout: Layout): Promise<void> {
  await endProcesses(layout);
  await removeMounts(layout);
  await removeNetwork(layout);
  removeControlGroup(layout.controlGroup);
  await rm(layout.run, { recursive: true, force: true });
}

const timeoutMs = 10_000;

async function endProcesses(layout: Layout): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let left = processesOf(layout); left.length > 0; left = processesOf(layout)) {
    if (performance.now() > deadline) throw toolFailed('kill', ['-9', ...left.map(String)], 'they do not end');
    for (const pid of left) end(pid);
    await sleep(20);
  }
}

/** Those on its network, and those in its pods, which have networks of their own. */
const processesOf = ({ worker, router, controlGroup }: Layout): number[] => [
  ...new Set([...processesOnNetworks([worker, router]), ...controlGroupProcesses(controlGroup)]),
];

function processesOnNetworks(names: readonly string[]): number[] {
  const files = names.map(namespaceFile).filter(existsSync);
  const wanted = new Set(files.map((file) => `net:[${statSync(file).ino}]`));
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && wanted.has(networkOf(pid)));
}

function networkOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    // It ended meanwhile.
    return '';
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
