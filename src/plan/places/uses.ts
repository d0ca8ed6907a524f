// Who uses which seed and datacenter in which way. What did not change since the last plan keeps its identity, and with
// it everything that was made of it.
import { getOrAdd } from '../../core/get-or-add.ts';
import { memo, memoLast } from '../../core/memo.ts';
import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import type { Strategy } from '../../model/schema/inherited.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import { datacenterSettings, seedSettings } from '../settings/index.ts';
import { groupsOf, sameGroups, type WorkerGroup } from './groups.ts';
import { type Members, membersOfAll, nobody, sameItems } from './members.ts';

export type { WorkerGroup } from './groups.ts';

export interface DatacenterUse {
  readonly datacenter: Datacenter;
  readonly seed: Seed;
  readonly members: Members;
  readonly groups: readonly WorkerGroup[];
}

export interface SeedUse {
  readonly seed: Seed;
  /** Strategies in use with their clusters, and those that the first cluster of an empty datacenter would have. */
  readonly strategies: ReadonlyMap<Strategy, Members>;
  readonly datacenters: readonly DatacenterUse[];
}

export interface Uses {
  readonly seeds: readonly SeedUse[];
  /** Datacenters whose seed exists. */
  readonly datacenters: readonly DatacenterUse[];
}

export const usesOf = memo((ctx: PlanContext): Uses => {
  const datacenters = ctx.model.datacenters.flatMap((datacenter) => {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    return seed === undefined ? [] : [useOfDatacenter(ctx, datacenter, seed)];
  });
  return { datacenters, seeds: ctx.model.seeds.map((seed) => useOfSeed(ctx, seed, datacenters)) };
});

interface Last {
  readonly seed: Seed;
  readonly clusters: readonly ClusterContext[];
  readonly use: DatacenterUse;
}
const lastOf = memo((_: Platform) => new WeakMap<Datacenter, Last>());
const none: readonly ClusterContext[] = [];

function useOfDatacenter(ctx: PlanContext, datacenter: Datacenter, seed: Seed): DatacenterUse {
  const clusters = ctx.clustersOfDatacenter.get(datacenter.metadata.name) ?? none;
  const known = lastOf(ctx.model.platform);
  const last = known.get(datacenter);
  if (last !== undefined && last.seed === seed && sameItems(last.clusters, clusters)) return last.use;
  const groups = clusters.length > 0 ? groupsOf(clusters) : [expectedGroup(ctx, datacenter, seed)];
  // A cluster can change in ways that no firewall sees.
  const use =
    last !== undefined && sameGroups(last.use.groups, groups)
      ? last.use
      : { datacenter, seed, groups, members: all(groups) };
  known.set(datacenter, { seed, clusters, use });
  return use;
}

const all = (groups: readonly WorkerGroup[]): Members => membersOfAll(groups.map((group) => group.members));

/** Firewalls are asked for before the first cluster exists: what it would inherit is what has to be open. */
const expectedGroup = (ctx: PlanContext, datacenter: Datacenter, seed: Seed): WorkerGroup => ({
  seed,
  datacenter,
  effective: datacenterSettings(ctx.model, seed, datacenter).effective,
  members: nobody,
});

const lastSeedUse = memo((_: Platform) => memoLast<Seed, SeedUse>());

function useOfSeed(ctx: PlanContext, seed: Seed, uses: readonly DatacenterUse[]): SeedUse {
  const datacenters = uses.filter((use) => use.seed === seed);
  return lastSeedUse(ctx.model.platform)(seed, datacenters, () => {
    const groups = datacenters.flatMap((use) => use.groups);
    return { seed, datacenters, strategies: strategiesOf(ctx, seed, groups) };
  });
}

function strategiesOf(ctx: PlanContext, seed: Seed, groups: readonly WorkerGroup[]): Map<Strategy, Members> {
  const lists = new Map<Strategy, Members[]>();
  for (const { effective, members } of groups) getOrAdd(lists, effective.exposeStrategy, () => []).push(members);
  if (lists.size === 0) lists.set(seedSettings(ctx.model, seed).effective.exposeStrategy, []);
  return new Map([...lists].map(([strategy, parts]) => [strategy, membersOfAll(parts)]));
}
