// The allow-list: what each place must reach outside, by component, operating system, provider, region and version.
import { getOrAdd } from '../../core/get-or-add.ts';
import { memo } from '../../core/memo.ts';
import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import type { PlanContext } from '../context.ts';
import type { Egress } from '../schema/index.ts';
import type { Effective } from '../settings/effective.ts';
import { datacenterSettings, platformSettings, seedSettings } from '../settings/index.ts';
import { type Download, type Facts, type Line, linesOf, type Site } from './download.ts';
import { addLines, addRedirects, type Drafts, entriesOf } from './entries.ts';
import { type Profiles, profilesOf, type Seating, seatingOf } from './profiles.ts';
import { workersOf } from './seats.ts';
import { downloadsOffline, onlineDownloads } from './tables/index.ts';

const parts = (downloads: readonly Download[]) => ({
  /** For the workers of a cluster: what depends on versions, and what does not. */
  versioned: downloads.filter((download) => download.versioned === true),
  steady: downloads.filter((download) => download.versioned !== true),
  /** For a management cluster: what it needs itself, and what it needs for each datacenter. */
  own: downloads.filter((download) => download.perDatacenter !== true),
  perDatacenter: downloads.filter((download) => download.perDatacenter === true),
});
const [online, offline] = [parts(onlineDownloads), parts(downloadsOffline)];
const tablesFor = (facts: Facts) => (facts.mode === 'offline' ? offline : online);

const installer = 'installer';
const masterNodes = 'master/nodes';
const seedNodes = (seed: Seed): string => `seed/${seed.metadata.name}/nodes`;

/** The last answer for a platform, and everything that it came from. */
interface Last {
  readonly inputs: readonly (readonly unknown[])[];
  readonly egress: Egress;
}
const lastOf = memo((_: Platform): { answer: Last | undefined } => ({ answer: undefined }));

export function planEgress(ctx: PlanContext): Egress {
  const { platform, seeds, datacenters } = ctx.model;
  const seating = seatingOf(ctx);
  const inputs = [seeds, datacenters, seating.names, seating.seats, seating.versions];
  const last = lastOf(platform);
  if (last.answer === undefined || !inputs.every((list, i) => sameItems(list, last.answer?.inputs[i] ?? [])))
    last.answer = { inputs, egress: compute(ctx, seating) };
  return last.answer.egress;
}

const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i]);

function compute(ctx: PlanContext, seating: Seating): Egress {
  const profiles = profilesOf(ctx, seating);
  const drafts: Drafts = new Map();
  addWorkers(drafts, ctx, profiles);
  addManagement(drafts, ctx);
  for (const datacenter of ctx.model.datacenters) addProvider(drafts, ctx, datacenter, profiles);
  addRedirects(drafts);
  return { modes: modesOf(ctx), entries: entriesOf(drafts, profiles) };
}

/** Lines by profile. They outlive a plan, because only versions differ from one plan to the next. */
const knownLines = memo((_: Platform) => new Map<string, Line[]>());

function addWorkers(drafts: Drafts, ctx: PlanContext, { all }: Profiles): void {
  const known = knownLines(ctx.model.platform);
  for (const profile of all) {
    const facts = { ...profile.facts, versions: [...profile.versions] };
    const tables = tablesFor(facts);
    addLines(
      drafts,
      getOrAdd(known, profile.key, () => linesOf(tables.steady, facts)),
      { workers: [profile] },
    );
    addLines(drafts, linesOf(tables.versioned, facts), { workers: [profile] });
  }
}

function addManagement(drafts: Drafts, ctx: PlanContext): void {
  const platform = platformSettings(ctx.model).effective;
  const linesAt = (facts: Facts): Line[] => linesOf(tablesFor(facts).own, facts);
  addLines(drafts, linesAt(managementFacts(ctx, 'master', platform)), { places: [masterNodes] });
  addLines(drafts, linesAt(managementFacts(ctx, 'installer', platform)), { places: [installer] });
  for (const seed of ctx.model.seeds) {
    const facts = managementFacts(ctx, 'seed', seedSettings(ctx.model, seed).effective, seed);
    addLines(drafts, linesAt(facts), { places: [seedNodes(seed)] });
  }
}

/** The interface of a cloud is called for the clusters of a datacenter, wherever the caller stands. */
function addProvider(drafts: Drafts, ctx: PlanContext, datacenter: Datacenter, profiles: Profiles): void {
  const seed = ctx.seeds.get(datacenter.spec.seed);
  if (seed === undefined) return;
  const served = profiles.ofDatacenter.get(datacenter.metadata.name);
  const platform = platformSettings(ctx.model).effective;
  const callers = [
    { place: masterNodes, facts: managementFacts(ctx, 'master', platform) },
    { place: installer, facts: managementFacts(ctx, 'installer', platform) },
    { place: seedNodes(seed), facts: managementFacts(ctx, 'seed', seedSettings(ctx.model, seed).effective, seed) },
  ];
  for (const { place, facts } of callers) {
    const lines = linesOf(tablesFor(facts).perDatacenter, { ...facts, provider: datacenter.spec.provider });
    addLines(drafts, lines, { places: [place], served });
  }
}

function managementFacts(ctx: PlanContext, site: Site, effective: Effective, seed?: Seed): Facts {
  const { spec } = ctx.model.platform;
  const nodes = site === 'seed' ? seed?.spec.nodes : spec.master.nodes;
  return {
    site,
    platform: spec,
    seed: seed?.spec,
    monitored: seed?.spec.monitoring?.userClusters === true,
    provider: undefined,
    loadBalancer: seed?.spec.loadBalancer?.type,
    operatingSystems: site === 'installer' ? [] : [nodes?.operatingSystem ?? 'ubuntu'],
    versions: [],
    cni: undefined,
    envoyAgent: false,
    mode: effective.egressMode,
    registry: effective.registry,
  };
}

function modesOf(ctx: PlanContext): Egress['modes'] {
  const { model } = ctx;
  const platform = platformSettings(model).effective.egressMode;
  const modes: Egress['modes'] = { [installer]: platform, [masterNodes]: platform };
  for (const seed of model.seeds) modes[seedNodes(seed)] = seedSettings(model, seed).effective.egressMode;
  for (const datacenter of model.datacenters) {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    if (seed === undefined) continue;
    modes[workersOf(datacenter)] = datacenterSettings(model, seed, datacenter).effective.egressMode;
  }
  return modes;
}
