// What is kept of a cluster whose manifest is gone although nobody asked for its deletion.
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { clusterHome, type PlatformHome, workerHome } from '../../control-plane/home.ts';

/** Where it is now; undefined when there was nothing. */
export function setAside(home: PlatformHome, cluster: string, now: Date): string | undefined {
  const { root } = clusterHome(home, cluster);
  if (!existsSync(root)) return undefined;
  const stamp = now.toISOString().replaceAll(':', '-');
  const aside = path.join(home.state, 'removed', `${cluster}-${stamp}`);
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  renameSync(root, path.join(aside, 'cluster'));
  const workers = workerHome(home, cluster);
  if (existsSync(workers)) renameSync(workers, path.join(aside, 'workers'));
  return aside;
}

/** Clusters that left something behind, whether or not they are wanted now. */
export function clustersOnDisk(home: PlatformHome): string[] {
  const directory = path.join(home.state, 'clusters');
  return existsSync(directory) ? readdirSync(directory) : [];
}
