// Who uses which seed and datacenter in which way. What did not change since the last plan keeps its identity, and with
// it everything that was made of it.
import { getOrAdd } from '../../core/collections.ts';
import type { Datacenter, Platform, Seed, Strategy } from '../../model/schema/index.ts';
import { memo, memoLast, type PlanCache, slot } from '../cache.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import { preparedSettings } from '../prepared.ts';
import { groupsOf, sameGroups, type WorkerGroup } from './groups.ts';
import { type Members, membersOfAll, sameItems } from './members.ts';
import { type WorkerNetwork, workerNetworksIn } from './worker-networks.ts';

export type { WorkerGroup } from './groups.ts';

/** Workers of one network, however they reach the rest. */
export interface WorkerSite {
  readonly datacenter: Datacenter;
  readonly network: WorkerNetwork;
  readonly members: Members;
  readonly groups: readonly WorkerGroup[];
}

export interface DatacenterUse {
  readonly datacenter: Datacenter;
  readonly seed: Seed;
  readonly members: Members;
  /** None: nobody uses the datacenter, and nobody plans to. */
  readonly groups: readonly WorkerGroup[];
  /** Networks with workers, or prepared for them. */
  readonly sites: readonly WorkerSite[];
}

export interface SeedUse {
  readonly seed: Seed;
  /** Strategies in use with their clusters, and those that planned clusters would have. */
  readonly strategies: ReadonlyMap<Strategy, Members>;
  readonly datacenters: readonly DatacenterUse[];
}

export interface Uses {
  readonly seeds: readonly SeedUse[];
  /** Datacenters whose seed exists. */
  readonly datacenters: readonly DatacenterUse[];
}

const usesIn = memo((ctx: PlanContext): Uses => {
  const datacenters = ctx.model.datacenters.flatMap((datacenter) => {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    return seed === undefined ? [] : [useOfDatacenter(ctx, datacenter, seed)];
  });
  return { datacenters, seeds: ctx.model.seeds.map((seed) => useOfSeed(ctx, seed, datacenters)) };
});
export const usesOf = (ctx: PlanContext): Uses => usesIn(ctx.cache, ctx);

interface Last {
  readonly platform: Platform;
  readonly seed: Seed;
  readonly clusters: readonly ClusterContext[];
  readonly use: DatacenterUse;
}
const lastOf = slot<Datacenter, Last>();
const none: readonly ClusterContext[] = [];

function useOfDatacenter(ctx: PlanContext, datacenter: Datacenter, seed: Seed): DatacenterUse {
  const clusters = ctx.clustersOfDatacenter.get(datacenter.metadata.name) ?? none;
  const { platform } = ctx.model;
  const kept = lastOf.get(ctx.cache, datacenter);
  const last = kept?.platform === platform && kept.seed === seed ? kept : undefined;
  if (last !== undefined && sameItems(last.clusters, clusters)) return last.use;
  const groups = groupsOf(ctx, seed, datacenter, clusters);
  // A cluster can change in ways that no firewall sees.
  const use =
    last !== undefined && sameGroups(last.use.groups, groups)
      ? last.use
      : { datacenter, seed, groups, members: all(ctx.cache, groups), sites: sitesOf(ctx.cache, datacenter, groups) };
  lastOf.set(ctx.cache, datacenter, { platform, seed, clusters, use });
  return use;
}

const all = (cache: PlanCache, groups: readonly WorkerGroup[]): Members =>
  membersOfAll(
    cache,
    groups.map((group) => group.members),
  );

const sitesOf = (cache: PlanCache, datacenter: Datacenter, groups: readonly WorkerGroup[]): WorkerSite[] =>
  workerNetworksIn(datacenter).flatMap((network) => {
    const own = groups.filter((group) => group.place === network.place);
    return own.length === 0 ? [] : [{ datacenter, network, groups: own, members: all(cache, own) }];
  });

const lastSeedUse = memoLast<Seed, SeedUse>();

function useOfSeed(ctx: PlanContext, seed: Seed, uses: readonly DatacenterUse[]): SeedUse {
  const datacenters = uses.filter((use) => use.seed === seed);
  return lastSeedUse(ctx.cache, seed, [ctx.model.platform, ...datacenters], () => {
    const groups = datacenters.flatMap((use) => use.groups);
    return { seed, datacenters, strategies: strategiesOf(ctx, seed, groups) };
  });
}

function strategiesOf(ctx: PlanContext, seed: Seed, groups: readonly WorkerGroup[]): Map<Strategy, Members> {
  const lists = new Map<Strategy, Members[]>();
  for (const { effective, members } of groups) getOrAdd(lists, effective.exposeStrategy, () => []).push(members);
  for (const { exposeStrategy } of preparedSettings(ctx, seed)) getOrAdd(lists, exposeStrategy, () => []);
  return new Map([...lists].map(([strategy, parts]) => [strategy, membersOfAll(ctx.cache, parts)]));
}
