// The kernel gives each user a number of inotify instances, by default 128, and every program that watches files takes
// some. What is left decides whether containerd starts and whether API servers see renewed certificates.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';

export const inotifySetting = 'fs.inotify.max_user_instances';

export interface InotifyInstances {
  readonly limit: number;
  /** By all programs of this user. */
  readonly used: number;
}

/** Undefined where the kernel does not tell. */
export function inotifyInstances(): InotifyInstances | undefined {
  const limit = inotifyLimit();
  return limit === undefined ? undefined : { limit, used: countInstances(process.getuid?.() ?? 0) };
}

export function inotifyLimit(): number | undefined {
  try {
    return Number(readFileSync(`/proc/sys/${inotifySetting.replaceAll('.', '/')}`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A setting that is enough for so many, with room to spare. */
export const inotifySettingFor = (needed: number): string =>
  `${inotifySetting}=${2 ** Math.ceil(Math.log2(2 * needed))}`;

/** Why so many more cannot be had, and the command that helps; undefined where they can. */
export function inotifyShortage(
  needed: number,
  instances: InotifyInstances | undefined = inotifyInstances(),
): { readonly message: string; readonly fix: string } | undefined {
  if (instances === undefined || instances.used + needed <= instances.limit) return undefined;
  const { used, limit } = instances;
  return {
    message: `${needed} more inotify instances are needed, and ${used} of the ${limit} that the kernel gives a user are in use`,
    fix: `raise the limit: sysctl -w ${inotifySettingFor(used + needed)}`,
  };
}

const countInstances = (uid: number): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => sum + instancesOf(path.join('/proc', pid), uid), 0);

function instancesOf(processDirectory: string, uid: number): number {
  try {
    if (statSync(processDirectory).uid !== uid) return 0;
    const directory = path.join(processDirectory, 'fd');
    return readdirSync(directory).filter((fd) => isInotify(path.join(directory, fd))).length;
  } catch {
    // It ended meanwhile, or is not ours to look into.
    return 0;
  }
}

function isInotify(link: string): boolean {
  try {
    return readlinkSync(link) === 'anon_inode:inotify';
  } catch {
    return false;
  }
}
