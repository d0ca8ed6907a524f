// Clusters that look alike from the network, so that ten thousand clusters become a few hundred rows.
import { getOrAdd } from '../../core/collections.ts';
import type { Datacenter, Seed } from '../../model/schema/index.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import { type EgressSource, egressSourceOf, preparedSources } from '../egress/sources.ts';
import { preparedIn } from '../prepared.ts';
import type { Effective } from '../settings/effective.ts';
import { type Members, sameItems } from './members.ts';

/** Workers of one network that reach their control plane and the internet in the same way. */
export interface WorkerGroup {
  readonly seed: Seed;
  readonly datacenter: Datacenter;
  /** Where they are. */
  readonly place: string;
  /** Of one cluster of the group; only what `looksAlike` compares holds for all. */
  readonly effective: Effective;
  /** It stays without clusters, because more are planned. */
  readonly isPrepared: boolean;
  readonly members: Members;
}

interface OpenGroup extends WorkerGroup {
  readonly members: string[];
}

/**
 * Groups the clusters of one datacenter, those to come and those that exist. A source says where workers are and what
 * the allow-list sees; the rest is compared.
 */
export function groupsOf(
  ctx: PlanContext,
  seed: Seed,
  datacenter: Datacenter,
  clusters: readonly ClusterContext[],
): WorkerGroup[] {
  const bySource = new Map<string, OpenGroup[]>();
  for (const source of preparedSources(ctx, seed, datacenter))
    bySource.set(source.key, [newGroup(seed, source, preparedIn(ctx, seed, datacenter), true)]);
  for (const c of clusters) {
    const source = egressSourceOf(c);
    groupFor(getOrAdd(bySource, source.key, newGroups), source, c).members.push(c.name);
  }
  return [...bySource.values()].flat();
}
const newGroups = (): OpenGroup[] => [];

const newGroup = (seed: Seed, source: EgressSource, effective: Effective, isPrepared: boolean): OpenGroup => ({
  seed,
  datacenter: source.datacenter,
  place: source.place,
  effective,
  isPrepared,
  members: [],
});

function groupFor(groups: OpenGroup[], source: EgressSource, c: ClusterContext): OpenGroup {
  for (const group of groups) if (looksAlike(group.effective, c.effective)) return group;
  const group = newGroup(c.seed, source, c.effective, false);
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
  a.seed === b.seed &&
  a.place === b.place &&
  a.isPrepared === b.isPrepared &&
  looksAlike(a.effective, b.effective) &&
  sameItems(a.members, b.members);
