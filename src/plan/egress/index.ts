// The allow-list: what each place must reach outside, by component, operating system, provider, region and version.
import { getOrAdd } from '../../core/collections.ts';
import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import { memo, memoLast } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import { listPerCluster } from '../per-cluster.ts';
import * as id from '../places/ids.ts';
import { workerNetworksIn } from '../places/worker-networks.ts';
import { isPrepared } from '../prepared.ts';
import type { Egress } from '../schema/index.ts';
import { datacenterSettings, platformSettings, seedSettings } from '../settings/index.ts';
import { type Line, linesOf } from './download.ts';
import { addLines, addRedirects, type Demand, type Drafts, demandsOf } from './entries.ts';
import { dialledPerCluster, gatewayEntries, preparedDialled } from './gateways.ts';
import { managementLines, providerLines } from './management.ts';
import { type Profiles, profilesOf, versionsOf } from './profiles.ts';
import { egressSourceOf, kubeletVersionOf } from './sources.ts';
import { tablesFor } from './tables/index.ts';

/** The list of last time, as long as its items are the same. */
const kept = <Item>() => {
  const last = memoLast<Platform, readonly Item[]>();
  return ({ cache, model }: PlanContext, items: readonly Item[]): readonly Item[] =>
    last(cache, model.platform, items, () => items);
};
const keep = {
  seeds: kept<Seed>(),
  datacenters: kept<Datacenter>(),
};
const namesOf = listPerCluster((c) => c.name);
const sourcesOf = listPerCluster(egressSourceOf);
const kubeletVersions = listPerCluster(kubeletVersionOf);
const lastProfiles = memoLast<Platform, Profiles>();
const lastGateways = memoLast<Platform, Demand[]>();
const lastPlanned = memoLast<Platform, PlannedEgress>();

/** The allow-list, and who needs each of its entries. */
export interface PlannedEgress {
  readonly egress: Egress;
  /** In the order of the entries. */
  readonly demands: readonly Demand[];
}

export function planEgress(ctx: PlanContext): PlannedEgress {
  const { cache } = ctx;
  const { platform, seeds, datacenters } = ctx.model;
  const [sources, versions, dialled] = [sourcesOf(ctx), kubeletVersions(ctx), dialledPerCluster(ctx)];
  const places = [keep.seeds(ctx, seeds), keep.datacenters(ctx, datacenters), namesOf(ctx), sources];
  return lastPlanned(cache, platform, [...places, versions, dialled], () => {
    const profiles = lastProfiles(cache, platform, places, () => profilesOf(ctx, sources));
    const downloads = downloadDemands(ctx, profiles, versions);
    // Versions change more often than ways.
    const gateways = lastGateways(cache, platform, [...places.slice(0, 2), dialled], () =>
      gatewayEntries([...preparedDialled(ctx), ...dialled]).map((entry) => ({ entry, always: [], served: new Map() })),
    );
    const demands = byHost(downloads, gateways);
    return { egress: { modes: modesOf(ctx), entries: demands.map(({ entry }) => entry) }, demands };
  });
}

function downloadDemands(ctx: PlanContext, profiles: Profiles, versions: readonly string[]): Demand[] {
  const drafts: Drafts = new Map();
  addWorkers(drafts, ctx, profiles, versionsOf(profiles, versions));
  for (const { place, lines } of managementLines(ctx)) addLines(drafts, lines, { places: [place], always: [place] });
  addProviders(drafts, ctx, profiles);
  addRedirects(drafts);
  return demandsOf(drafts, profiles);
}

function byHost(demands: Demand[], more: readonly Demand[]): Demand[] {
  if (more.length === 0) return demands;
  return [...demands, ...more].sort(({ entry: a }, { entry: b }) => (a.host < b.host ? -1 : a.host > b.host ? 1 : 0));
}

/** Lines by profile. They outlive a plan, because mostly only versions differ from one plan to the next. */
const knownLines = memo((_: Platform) => new Map<string, Line[]>());

function addWorkers(drafts: Drafts, ctx: PlanContext, { all }: Profiles, versions: readonly Set<string>[]): void {
  const { cache } = ctx;
  const known = knownLines(cache, ctx.model.platform);
  for (const profile of all) {
    const facts = { ...profile.facts, versions: [...(versions[profile.number] ?? [])] };
    const { steady, versioned } = tablesFor(facts);
    const lines = getOrAdd(known, profile.key, () => linesOf(steady, facts));
    addLines(drafts, lines, { workers: [profile] });
    addLines(drafts, linesOf(versioned, facts), { workers: [profile] });
  }
}

function addProviders(drafts: Drafts, ctx: PlanContext, profiles: Profiles): void {
  for (const datacenter of ctx.model.datacenters) {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    if (seed === undefined) continue;
    const served = profiles.ofDatacenter.get(datacenter.metadata.name);
    // Nobody has clusters there, and nobody plans to.
    if (served === undefined) continue;
    for (const { place, lines } of providerLines(ctx.cache, ctx.model.platform, seed, datacenter))
      addLines(drafts, lines, { places: [place], served, ...calledBy(place, seed, datacenter) });
  }
}

const calledBy = (place: string, seed: Seed, { metadata }: Datacenter) => ({
  always: isPrepared(seed) ? [place] : [],
  callers: [{ place, datacenter: metadata.name }],
});

function modesOf(ctx: PlanContext): Egress['modes'] {
  const { model } = ctx;
  const platform = platformSettings(ctx).effective.egressMode;
  const modes: Egress['modes'] = { [id.installer]: platform, [id.masterNodes]: platform };
  for (const seed of model.seeds)
    modes[id.seedPlace(seed.metadata.name, 'nodes')] = seedSettings(ctx, seed).effective.egressMode;
  for (const datacenter of model.datacenters) {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    if (seed === undefined) continue;
    const mode = datacenterSettings(ctx, seed, datacenter).effective.egressMode;
    for (const { place } of workerNetworksIn(datacenter)) modes[place] = mode;
  }
  return modes;
}
