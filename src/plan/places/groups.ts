// Clusters that look alike from the network, so that ten thousand clusters become a few hundred rows.
// One pass over all clusters; everything after it is proportional to seeds and datacenters.
import { getOrAdd } from '../../core/get-or-add.ts';
import { memo } from '../../core/memo.ts';
import type { Datacenter, Seed } from '../../model/schema/index.ts';
import type { Strategy } from '../../model/schema/inherited.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import type { Effective } from '../settings/effective.ts';
import { datacenterSettings, seedSettings } from '../settings/index.ts';

/** Workers of one datacenter that reach their control plane and the internet in the same way. */
export interface WorkerGroup {
  readonly index: number;
  readonly seed: Seed;
  readonly datacenter: Datacenter;
  /** Of one cluster of the group; only what `looksAlike` compares holds for all. */
  readonly effective: Effective;
  /** Sorted. Empty: a datacenter that is prepared before its first cluster. */
  readonly clusters: readonly string[];
}

export interface DatacenterUse {
  readonly datacenter: Datacenter;
  readonly seed: Seed;
  readonly clusters: readonly string[];
  readonly groups: readonly WorkerGroup[];
}

export interface SeedUse {
  readonly seed: Seed;
  /** Strategies in use with their clusters; of a seed without clusters, the ones its first cluster would have. */
  readonly strategies: ReadonlyMap<Strategy, readonly string[]>;
  readonly loadBalanced: readonly ClusterContext[];
  readonly datacenters: readonly DatacenterUse[];
}

export interface Uses {
  readonly seeds: readonly SeedUse[];
  /** Datacenters whose seed exists. */
  readonly datacenters: readonly DatacenterUse[];
  readonly groups: readonly WorkerGroup[];
  /** For each cluster of the context, the index of its group. */
  readonly groupOf: Uint32Array;
}

export const usesOf = memo((ctx: PlanContext): Uses => {
  const collected = collect(ctx);
  const datacenters = ctx.model.datacenters.flatMap((datacenter) => useOfDatacenter(ctx, datacenter, collected));
  const seeds = ctx.model.seeds.map((seed) => useOfSeed(ctx, seed, datacenters, collected));
  return { seeds, datacenters, groups: collected.groups, groupOf: collected.groupOf };
});

interface OpenGroup extends WorkerGroup {
  readonly clusters: string[];
}
interface OpenDatacenter {
  readonly clusters: string[];
  readonly groups: OpenGroup[];
}
interface OpenSeed {
  readonly strategies: Map<Strategy, string[]>;
  readonly loadBalanced: ClusterContext[];
}
interface Collected {
  readonly datacenters: Map<Datacenter, OpenDatacenter>;
  readonly seeds: Map<Seed, OpenSeed>;
  readonly groups: WorkerGroup[];
  readonly groupOf: Uint32Array;
}

const newDatacenter = (): OpenDatacenter => ({ clusters: [], groups: [] });
const newSeed = (): OpenSeed => ({ strategies: new Map(), loadBalanced: [] });
const newList = (): string[] => [];

function collect({ clusters }: PlanContext): Collected {
  const open: Collected = {
    datacenters: new Map(),
    seeds: new Map(),
    groups: [],
    groupOf: new Uint32Array(clusters.length),
  };
  for (let i = 0; i < clusters.length; i++) {
    const c = clusters[i] as ClusterContext;
    const group = groupFor(open, c);
    group.clusters.push(c.name);
    open.groupOf[i] = group.index;
    noteAtSeed(open, c);
  }
  return open;
}

function groupFor(open: Collected, c: ClusterContext): OpenGroup {
  const datacenter = getOrAdd(open.datacenters, c.datacenter, newDatacenter);
  datacenter.clusters.push(c.name);
  for (const group of datacenter.groups) if (looksAlike(group.effective, c.effective)) return group;
  const group = {
    index: open.groups.length,
    seed: c.seed,
    datacenter: c.datacenter,
    effective: c.effective,
    clusters: [],
  };
  datacenter.groups.push(group);
  open.groups.push(group);
  return group;
}

function noteAtSeed(open: Collected, c: ClusterContext): void {
  const seed = getOrAdd(open.seeds, c.seed, newSeed);
  const strategy = c.effective.exposeStrategy;
  getOrAdd(seed.strategies, strategy, newList).push(c.name);
  if (strategy === 'LoadBalancer') seed.loadBalanced.push(c);
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

function useOfDatacenter(ctx: PlanContext, datacenter: Datacenter, collected: Collected): DatacenterUse[] {
  const seed = ctx.seeds.get(datacenter.spec.seed);
  if (seed === undefined) return [];
  const open = collected.datacenters.get(datacenter);
  if (open !== undefined) return [{ datacenter, seed, ...open }];
  const { effective } = datacenterSettings(ctx.model, seed, datacenter);
  const group = { index: collected.groups.length, seed, datacenter, effective, clusters: [] };
  collected.groups.push(group);
  return [{ datacenter, seed, clusters: [], groups: [group] }];
}

function useOfSeed(ctx: PlanContext, seed: Seed, all: readonly DatacenterUse[], collected: Collected): SeedUse {
  const datacenters = all.filter((use) => use.seed === seed);
  const open = collected.seeds.get(seed);
  const strategies = open?.strategies ?? expectedStrategies(ctx, seed, datacenters);
  return { seed, strategies, loadBalanced: open?.loadBalanced ?? [], datacenters };
}

/** Firewalls are asked for before the first cluster exists: what it would inherit is what has to be open. */
function expectedStrategies(ctx: PlanContext, seed: Seed, uses: readonly DatacenterUse[]): Map<Strategy, string[]> {
  const inherited = uses.flatMap((use) => use.groups).map((group) => group.effective.exposeStrategy);
  const own = seedSettings(ctx.model, seed).effective.exposeStrategy;
  return new Map((inherited.length > 0 ? inherited : [own]).map((strategy) => [strategy, []]));
}
