// The allow-list: what each place must reach outside, by component, operating system, provider, region and version.
import type { Datacenter, Seed } from '../../model/schema/index.ts';
import type { PlanContext } from '../context.ts';
import type { Egress } from '../schema/index.ts';
import type { Effective } from '../settings/effective.ts';
import { datacenterSettings, platformSettings, seedSettings } from '../settings/index.ts';
import { clusterNames } from './cluster-names.ts';
import { type Facts, type Line, linesOf, type Site } from './download.ts';
import { addLines, addRedirects, type Drafts, entriesOf } from './entries.ts';
import { type Profile, type Profiles, profilesOf, workersOf } from './profiles.ts';
import { downloadsOffline, onlineDownloads } from './tables/index.ts';

const shared = onlineDownloads.filter((download) => download.perDatacenter !== true);
const sharedOffline = downloadsOffline.filter((download) => download.perDatacenter !== true);
const perDatacenter = onlineDownloads.filter((download) => download.perDatacenter === true);
const perDatacenterOffline = perDatacenter.filter((download) => download.service === true);

const nobody: readonly Profile[] = [];
const installer = 'installer';
const masterNodes = 'master/nodes';
const seedNodes = (seed: Seed): string => `seed/${seed.metadata.name}/nodes`;

export function planEgress(ctx: PlanContext): Egress {
  const profiles = profilesOf(ctx);
  const drafts: Drafts = new Map();
  addWorkers(drafts, profiles);
  addManagement(drafts, ctx);
  for (const datacenter of ctx.model.datacenters) addProvider(drafts, ctx, datacenter, profiles);
  addRedirects(drafts);
  return { modes: modesOf(ctx), entries: entriesOf(drafts, clusterNames(ctx, profiles)) };
}

function addWorkers(drafts: Drafts, { all }: Profiles): void {
  for (const profile of all) {
    const table = profile.facts.mode === 'offline' ? downloadsOffline : onlineDownloads;
    addLines(drafts, linesOf(table, profile.facts), { places: profile.places, profiles: [profile] });
  }
}

function addManagement(drafts: Drafts, ctx: PlanContext): void {
  const platform = platformSettings(ctx.model).effective;
  const linesAt = (facts: Facts): Line[] => linesOf(facts.mode === 'offline' ? sharedOffline : shared, facts);
  addLines(drafts, linesAt(managementFacts(ctx, 'master', platform)), { places: [masterNodes], profiles: nobody });
  addLines(drafts, linesAt(managementFacts(ctx, 'installer', platform)), { places: [installer], profiles: nobody });
  for (const seed of ctx.model.seeds) {
    const facts = managementFacts(ctx, 'seed', seedSettings(ctx.model, seed).effective, seed);
    addLines(drafts, linesAt(facts), { places: [seedNodes(seed)], profiles: nobody });
  }
}

/** The interface of a cloud is called for the clusters of a datacenter, wherever the caller stands. */
function addProvider(drafts: Drafts, ctx: PlanContext, datacenter: Datacenter, profiles: Profiles): void {
  const seed = ctx.seeds.get(datacenter.spec.seed);
  if (seed === undefined) return;
  const forClusters = profiles.ofDatacenter.get(datacenter.metadata.name) ?? nobody;
  const platform = platformSettings(ctx.model).effective;
  const callers = [
    { place: masterNodes, facts: managementFacts(ctx, 'master', platform) },
    { place: installer, facts: managementFacts(ctx, 'installer', platform) },
    { place: seedNodes(seed), facts: managementFacts(ctx, 'seed', seedSettings(ctx.model, seed).effective, seed) },
  ];
  for (const { place, facts } of callers) {
    const table = facts.mode === 'offline' ? perDatacenterOffline : perDatacenter;
    const lines = linesOf(table, { ...facts, provider: datacenter.spec.provider });
    addLines(drafts, lines, { places: [place], profiles: forClusters });
  }
}

function managementFacts(ctx: PlanContext, site: Site, effective: Effective, seed?: Seed): Facts {
  const { spec } = ctx.model.platform;
  const nodes = site === 'seed' ? seed?.spec.nodes : spec.master.nodes;
  return {
    site,
    platform: spec,
    seed: seed?.spec,
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
