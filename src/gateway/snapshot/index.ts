export { ClusterEntry, type Target } from './cluster-entry.ts';
export type { Backend } from './hosts.ts';
export {
  checkedSnapshot,
  checkSnapshot,
  readSnapshot,
  type SnapshotReading,
  snapshotWarnings,
} from './read-snapshot.ts';
export { type AppliedChange, RouteTable } from './route-table.ts';
export type { EvictedNode, Service, Snapshot, SnapshotChange, SnapshotCluster, SnapshotRoute } from './snapshot.ts';
export { diffSnapshots } from './snapshot.ts';
