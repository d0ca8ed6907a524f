// One at a time, across processes. The lock spares work; what keeps the cache whole is renaming.
//
// A lock is a directory with one file that is named after its owner. It is made aside and renamed into place, which
// works only where there is none or an empty one. Removing the file of a dead owner empties it; of two who try that,
// the second finds no file of that name, whoever has the lock by then.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './is-running.ts';

export interface LockOptions {
  /** Called again and again while somebody else has it; whoever does not want to wait throws. */
  waiting?: (owner: string) => unknown;
  /** Milliseconds between two looks. @default 200 */
  every?: number;
  /** Milliseconds without a sign of life after which an owner on another machine counts as dead. @default 60 000 */
  silence?: number;
}

export async function withLock<Result>(
  lock: string,
  work: () => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  const owner = `${process.pid}-${randomUUID()}`;
  await take(lock, owner, options);
  // Signs of life, for those who cannot ask whether our process lives.
  const alive = setInterval(() => void touch(path.join(lock, owner)), (options.silence ?? 60_000) / 6).unref();
  try {
    return await work();
  } finally {
    clearInterval(alive);
    await release(lock, owner);
  }
}

const touch = (file: string): Promise<void> => utimes(file, new Date(), new Date()).catch(() => {});

async function take(lock: string, owner: string, options: LockOptions): Promise<void> {
  const aside = `${lock}.${owner}`;
  await mkdir(aside, { recursive: true });
  await writeFile(path.join(aside, owner), hostname());
  try {
    while (!(await renamed(aside, lock))) {
      const holder = await livingOwner(lock, options.silence ?? 60_000);
      if (holder !== undefined) await options.waiting?.(holder);
      await sleep(holder === undefined ? 1 : (options.every ?? 200));
    }
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

/** The process that has the lock; undefined when there is none, or none any more. */
async function livingOwner(lock: string, silence: number): Promise<string | undefined> {
  const [owner] = await readdir(lock).catch(() => []);
  if (owner === undefined) return undefined;
  const file = path.join(lock, owner);
  if (await lives(file, Number.parseInt(owner, 10), silence)) return `process ${Number.parseInt(owner, 10)}`;
  await unlink(file).catch(() => {});
  return undefined;
}

async function lives(file: string, pid: number, silence: number): Promise<boolean> {
  const [host, times] = await Promise.all([readFile(file, 'utf8').catch(() => ''), stat(file).catch(() => undefined)]);
  if (times === undefined) return false;
  if (host === hostname() && !isRunning(pid)) return false;
  return Date.now() - times.mtimeMs < silence;
}

async function release(lock: string, owner: string): Promise<void> {
  await unlink(path.join(lock, owner)).catch(() => {});
  // Somebody may have it already; then it is not empty and stays.
  await rmdir(lock).catch(() => {});
}
