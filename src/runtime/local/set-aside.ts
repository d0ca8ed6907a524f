// What becomes of the data of a cluster whose manifest is gone: kept aside, or removed where somebody asked for that.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { clusterHome, clustersDirectory, type PlatformHome, workerHome } from './home.ts';

/** Where it is now; undefined when there was nothing. */
export function setAside(home: PlatformHome, cluster: string, now: Date): string | undefined {
  const { root } = clusterHome(home, cluster);
  if (!existsSync(root)) return undefined;
  const stamp = now.toISOString().replaceAll(':', '-');
  const aside = path.join(home.state, 'removed', `${cluster}-${stamp}`);
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  // The cluster last: as long as it is there, whoever starts sees that it is to be removed.
  const workers = workerHome(home, cluster);
  if (existsSync(workers)) renameSync(workers, path.join(aside, 'workers'));
  renameSync(root, path.join(aside, 'cluster'));
  return aside;
}

/** All that it kept but its backups. */
export function removeData(home: PlatformHome, cluster: string): void {
  for (const directory of [workerHome(home, cluster), clusterHome(home, cluster).root])
    rmSync(directory, { recursive: true, force: true });
}

/** Clusters that left something behind, whether or not they are wanted now. */
export function clustersOnDisk(home: PlatformHome): string[] {
  const directory = clustersDirectory(home);
  return existsSync(directory) ? readdirSync(directory) : [];
}
