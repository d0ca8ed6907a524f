// Sources with equal facts share one profile, so that ten thousand clusters cost a hundred look-ups in the tables.
import { getOrAdd } from '../../core/collections.ts';
import type { PlanContext } from '../context.ts';
import type { Facts } from './download.ts';
import { type EgressSource, preparedSources } from './sources.ts';

export interface Profile {
  readonly number: number;
  readonly key: string;
  readonly facts: Omit<Facts, 'versions'>;
  /** Worker places with clusters of this profile, and those that are prepared for them. */
  readonly places: Set<string>;
  readonly prepared: Set<string>;
}

export interface Profiles {
  readonly all: readonly Profile[];
  /** Profile of each cluster, in the order of `ctx.clusters`. */
  readonly ofClusters: readonly Profile[];
  readonly ofDatacenter: ReadonlyMap<string, ReadonlySet<Profile>>;
  /** Names of the clusters of some profiles, sorted. Entries that are needed by the same clusters share one list. */
  readonly clustersOf: (wanted: ReadonlySet<Profile>) => string[];
}

/** `sources` in the order of `ctx.clusters`. */
export function profilesOf(ctx: PlanContext, sources: readonly EgressSource[]): Profiles {
  const byKey = new Map<string, Profile>();
  const ofDatacenter = new Map<string, Set<Profile>>();
  const ofSource = new Map<EgressSource, Profile>();
  const prepared = new Set(allPrepared(ctx));
  for (const source of new Set([...sources, ...prepared])) {
    const profile = getOrAdd(byKey, source.profileKey, () => newProfile(byKey.size, source));
    profile.places.add(source.place);
    if (prepared.has(source)) profile.prepared.add(source.place);
    getOrAdd(ofDatacenter, source.datacenter.metadata.name, () => new Set<Profile>()).add(profile);
    ofSource.set(source, profile);
  }
  const ofClusters = sources.map((source) => ofSource.get(source) as Profile);
  return { all: [...byKey.values()], ofClusters, ofDatacenter, clustersOf: namesOf(ctx, byKey.size, ofClusters) };
}

const allPrepared = (ctx: PlanContext): EgressSource[] =>
  ctx.model.datacenters.flatMap((datacenter) => {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    return seed === undefined ? [] : preparedSources(ctx, seed, datacenter);
  });

/** Versions of the kubelets, by number of the profile; `versions` in the order of `ctx.clusters`. */
export function versionsOf({ all, ofClusters }: Profiles, versions: readonly string[]): Set<string>[] {
  const sets = all.map(() => new Set<string>());
  for (let i = 0; i < versions.length; i++) sets[(ofClusters[i] as Profile).number]?.add(versions[i] as string);
  return sets;
}

const newProfile = (number: number, { profileKey, facts }: EgressSource): Profile => ({
  number,
  key: profileKey,
  facts,
  places: new Set(),
  prepared: new Set(),
});

export const keyOfSet = (profiles: ReadonlySet<Profile>): string => {
  let key = '';
  for (const profile of profiles) key += `${profile.number} `;
  return key;
};

function namesOf(ctx: PlanContext, count: number, ofClusters: readonly Profile[]): Profiles['clustersOf'] {
  const everyone = ctx.clusters.map((c) => c.name);
  const known = new Map<string, string[]>();
  const pick = (wanted: ReadonlySet<Profile>): string[] => {
    const isWanted = new Uint8Array(count);
    for (const profile of wanted) isWanted[profile.number] = 1;
    return everyone.filter((_, i) => isWanted[(ofClusters[i] as Profile).number] === 1);
  };
  return (wanted) => {
    if (wanted.size === 0) return [];
    return wanted.size === count ? everyone : getOrAdd(known, keyOfSet(wanted), () => pick(wanted));
  };
}
