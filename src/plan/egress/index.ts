// The allow-list: what each place must reach outside, by component, operating system, provider, region and version.
import { getOrAdd } from '../../core/get-or-add.ts';
import { memo, memoLast } from '../../core/memo.ts';
import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import type { PlanContext } from '../context.ts';
import { listPerCluster } from '../per-cluster.ts';
import { workerNetworksIn } from '../places/worker-networks.ts';
import { isPrepared } from '../prepared.ts';
import type { Egress, EgressEntry } from '../schema/index.ts';
import { datacenterSettings, platformSettings, seedSettings } from '../settings/index.ts';
import { type Line, linesOf } from './download.ts';
import { addLines, addRedirects, type Drafts, entriesOf } from './entries.ts';
import { dialledPerCluster, gatewayEntries, preparedDialled } from './gateways.ts';
import { installer, managementLines, masterNodes, providerLines, seedNodes } from './management.ts';
import { type Profiles, profilesOf, versionsOf } from './profiles.ts';
import { kubeletVersionOf, seatOf } from './seats.ts';
import { tablesFor } from './tables/index.ts';

/** The list of last time, as long as its items are the same. */
const kept = <Item>() => {
  const last = memoLast<Platform, readonly Item[]>();
  return (platform: Platform, items: readonly Item[]): readonly Item[] => last(platform, items, () => items);
};
const keep = {
  seeds: kept<Seed>(),
  datacenters: kept<Datacenter>(),
};
const namesOf = listPerCluster((c) => c.name);
const seatsOf = listPerCluster(seatOf);
const kubeletVersions = listPerCluster(kubeletVersionOf);
const lastProfiles = memoLast<Platform, Profiles>();
const lastGateways = memoLast<Platform, EgressEntry[]>();
const lastEgress = memoLast<Platform, Egress>();

export function planEgress(ctx: PlanContext): Egress {
  const { platform, seeds, datacenters } = ctx.model;
  const [seats, versions, dialled] = [seatsOf(ctx), kubeletVersions(ctx), dialledPerCluster(ctx)];
  const places = [keep.seeds(platform, seeds), keep.datacenters(platform, datacenters), namesOf(ctx), seats];
  return lastEgress(platform, [...places, versions, dialled], () => {
    const profiles = lastProfiles(platform, places, () => profilesOf(ctx, seats));
    const { modes, entries } = compute(ctx, profiles, versions);
    // Versions change more often than ways.
    const gateways = lastGateways(platform, [...places.slice(0, 2), dialled], () =>
      gatewayEntries([...preparedDialled(ctx), ...dialled]),
    );
    return { modes, entries: withEntries(entries, gateways) };
  });
}

function compute(ctx: PlanContext, profiles: Profiles, versions: readonly string[]): Egress {
  const drafts: Drafts = new Map();
  addWorkers(drafts, ctx.model.platform, profiles, versionsOf(profiles, versions));
  for (const { place, lines } of managementLines(ctx.model))
    addLines(drafts, lines, { places: [place], standing: [place] });
  addProviders(drafts, ctx, profiles);
  addRedirects(drafts);
  return { modes: modesOf(ctx), entries: entriesOf(drafts, profiles) };
}

/** Both by host. */
function withEntries(entries: EgressEntry[], more: readonly EgressEntry[]): EgressEntry[] {
  if (more.length === 0) return entries;
  return [...entries, ...more].sort((a, b) => (a.host < b.host ? -1 : a.host > b.host ? 1 : 0));
}

/** Lines by profile. They outlive a plan, because mostly only versions differ from one plan to the next. */
const knownLines = memo((_: Platform) => new Map<string, Line[]>());

function addWorkers(drafts: Drafts, platform: Platform, { all }: Profiles, versions: readonly Set<string>[]): void {
  const known = knownLines(platform);
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
    for (const { place, lines } of providerLines(ctx.model.platform)(seed)(datacenter))
      addLines(drafts, lines, { places: [place], served, ...calledBy(place, seed, datacenter) });
  }
}

const calledBy = (place: string, seed: Seed, { metadata }: Datacenter) => ({
  standing: isPrepared(seed) ? [place] : [],
  callers: [{ place, datacenter: metadata.name }],
});

function modesOf(ctx: PlanContext): Egress['modes'] {
  const { model } = ctx;
  const platform = platformSettings(model).effective.egressMode;
  const modes: Egress['modes'] = { [installer]: platform, [masterNodes]: platform };
  for (const seed of model.seeds) modes[seedNodes(seed)] = seedSettings(model, seed).effective.egressMode;
  for (const datacenter of model.datacenters) {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    if (seed === undefined) continue;
    const mode = datacenterSettings(model, seed, datacenter).effective.egressMode;
    for (const { place } of workerNetworksIn(datacenter)) modes[place] = mode;
  }
  return modes;
}
