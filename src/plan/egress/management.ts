// What master, installer and seeds need: for themselves, and for the datacenters they look after.

import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import { memo, memoAll } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import type { Effective } from '../settings/effective.ts';
import { platformSettings, seedSettings } from '../settings/index.ts';
import { type Facts, type Line, linesOf, type Site } from './download.ts';
import { tablesFor } from './tables/index.ts';

export interface PlaceLines {
  readonly place: string;
  readonly lines: readonly Line[];
}

type Caller = Pick<PlaceLines, 'place'> & { readonly facts: Facts };

const centralCallers = memo((platform: Platform, cache): Caller[] => {
  const { effective } = platformSettings({ cache, model: { platform } });
  return [
    { place: id.masterNodes, facts: factsOf(platform, 'master', effective) },
    { place: id.installer, facts: factsOf(platform, 'installer', effective) },
  ];
});

const seedCaller = memoAll((cache, platform: Platform, seed: Seed): Caller => {
  const { effective } = seedSettings({ cache, model: { platform } }, seed);
  return { place: id.seedPlace(seed.metadata.name, 'nodes'), facts: factsOf(platform, 'seed', effective, seed) };
});

const ownLines = memo(
  ({ place, facts }: Caller): PlaceLines => ({ place, lines: linesOf(tablesFor(facts).own, facts) }),
);

export const managementLines = ({ cache, model: { platform, seeds } }: PlanContext): PlaceLines[] =>
  [...centralCallers(cache, platform), ...seeds.map((seed) => seedCaller(cache, platform, seed))].map((caller) =>
    ownLines(cache, caller),
  );

/** The interface of a cloud is called for the clusters of a datacenter, wherever the caller stands. */
export const providerLines = memoAll((cache, platform: Platform, seed: Seed, datacenter: Datacenter): PlaceLines[] =>
  [...centralCallers(cache, platform), seedCaller(cache, platform, seed)].map(({ place, facts }) => ({
    place,
    lines: linesOf(tablesFor(facts).perDatacenter, { ...facts, provider: datacenter.spec.provider }),
  })),
);

function factsOf({ spec }: Platform, site: Site, effective: Effective, seed?: Seed): Facts {
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
