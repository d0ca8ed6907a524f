// Seats with equal facts share one profile, so that ten thousand clusters cost a hundred look-ups in the tables.
import { getOrAdd } from '../../core/collections.ts';
import type { PlanContext } from '../context.ts';
import type { Facts } from './download.ts';
import { preparedSeats, type Seat } from './seats.ts';

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

/** `seats` in the order of `ctx.clusters`. */
export function profilesOf(ctx: PlanContext, seats: readonly Seat[]): Profiles {
  const byKey = new Map<string, Profile>();
  const ofDatacenter = new Map<string, Set<Profile>>();
  const ofSeat = new Map<Seat, Profile>();
  const prepared = new Set(allPrepared(ctx));
  for (const seat of new Set([...seats, ...prepared])) {
    const profile = getOrAdd(byKey, seat.profileKey, () => newProfile(byKey.size, seat));
    profile.places.add(seat.place);
    if (prepared.has(seat)) profile.prepared.add(seat.place);
    getOrAdd(ofDatacenter, seat.datacenter.metadata.name, () => new Set<Profile>()).add(profile);
    ofSeat.set(seat, profile);
  }
  const ofClusters = seats.map((seat) => ofSeat.get(seat) as Profile);
  return { all: [...byKey.values()], ofClusters, ofDatacenter, clustersOf: namesOf(ctx, byKey.size, ofClusters) };
}

const allPrepared = (ctx: PlanContext): Seat[] =>
  ctx.model.datacenters.flatMap((datacenter) => {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    return seed === undefined ? [] : preparedSeats(ctx, seed, datacenter);
  });

/** Versions of the kubelets, by number of the profile; `versions` in the order of `ctx.clusters`. */
export function versionsOf({ all, ofClusters }: Profiles, versions: readonly string[]): Set<string>[] {
  const sets = all.map(() => new Set<string>());
  for (let i = 0; i < versions.length; i++) sets[(ofClusters[i] as Profile).number]?.add(versions[i] as string);
  return sets;
}

const newProfile = (number: number, { profileKey, facts }: Seat): Profile => ({
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
