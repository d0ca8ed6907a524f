// Clusters that look alike from the network, so that ten thousand clusters become a few hundred rows.
import { getOrAdd } from '../../core/get-or-add.ts';
import type { Datacenter, Seed } from '../../model/schema/index.ts';
import type { ClusterContext } from '../context.ts';
import { type Seat, seatOf } from '../egress/seats.ts';
import type { Effective } from '../settings/effective.ts';
import { type Members, sameItems } from './members.ts';

/** Workers of one datacenter that reach their control plane and the internet in the same way. */
export interface WorkerGroup {
  readonly seed: Seed;
  readonly datacenter: Datacenter;
  /** Of one cluster of the group; only what `looksAlike` compares holds for all. */
  readonly effective: Effective;
  /** None: a datacenter that is prepared before its first cluster. */
  readonly members: Members;
}

interface OpenGroup extends WorkerGroup {
  readonly members: string[];
}

/** Groups the clusters of one datacenter. A seat says what the allow-list sees; the rest is compared. */
export function groupsOf(clusters: readonly ClusterContext[]): WorkerGroup[] {
  const bySeat = new Map<Seat, OpenGroup[]>();
  for (const c of clusters) groupFor(getOrAdd(bySeat, seatOf(c), newGroups), c).members.push(c.name);
  return [...bySeat.values()].flat();
}
const newGroups = (): OpenGroup[] => [];

function groupFor(groups: OpenGroup[], c: ClusterContext): OpenGroup {
  for (const group of groups) if (looksAlike(group.effective, c.effective)) return group;
  const group = { seed: c.seed, datacenter: c.datacenter, effective: c.effective, members: [] };
  groups.push(group);
  return group;
}

const looksAlike = (a: Effective, b: Effective): boolean =>
  a === b ||
  (a.exposeStrategy === b.exposeStrategy &&
    a.entry === b.entry &&
    a.route === b.route &&
    a.egressMode === b.egressMode &&
    a.cni === b.cni &&
    a.proxy?.http === b.proxy?.http &&
    a.proxy?.https === b.proxy?.https &&
    sameRegistry(a.registry, b.registry));

const sameRegistry = (a: Effective['registry'], b: Effective['registry']): boolean =>
  a === b || (a?.host === b?.host && a?.binaries === b?.binaries && a?.packages === b?.packages);

export const sameGroups = (a: readonly WorkerGroup[], b: readonly WorkerGroup[]): boolean =>
  a.length === b.length && a.every((group, i) => sameGroup(group, b[i] as WorkerGroup));

const sameGroup = (a: WorkerGroup, b: WorkerGroup): boolean =>
  a.seed === b.seed && looksAlike(a.effective, b.effective) && sameItems(a.members, b.members);
