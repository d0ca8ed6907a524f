// What has to be told to somebody who has the one snapshot so that he has the other. Linear, and without writing
// anything as text: most clusters are the same object in both, and nearly all of the others are equal.
import { entryOf } from '../../core/records.ts';
import { sameJson } from './same-json.ts';
import type { Snapshot, SnapshotChange, SnapshotCluster } from './snapshot.ts';

export function diffSnapshots(before: Snapshot | undefined, after: Snapshot): SnapshotChange {
  const { version, clusters, ...settings } = after;
  if (before === undefined) return { version, settings, changed: clusters, removed: [] };
  const changed: Record<string, SnapshotCluster> = {};
  for (const name in clusters) {
    const cluster = clusters[name];
    if (cluster !== undefined && !sameJson(entryOf(before.clusters, name), cluster)) changed[name] = cluster;
  }
  const removed: string[] = [];
  for (const name in before.clusters) if (!Object.hasOwn(clusters, name)) removed.push(name);
  return { version, settings, changed, removed };
}
