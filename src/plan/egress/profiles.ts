// Seats with equal facts share one profile, so that ten thousand clusters cost a hundred look-ups in the tables.
import { getOrAdd } from '../../core/get-or-add.ts';
import type { PlanContext } from '../context.ts';
import type { Facts } from './download.ts';
import { emptySeats, kubeletVersionOf, type Seat, seatOf } from './seats.ts';

export interface Profile {
  readonly number: number;
  readonly key: string;
  readonly facts: Omit<Facts, 'versions'>;
  /** Versions of the kubelets. */
  readonly versions: Set<string>;
  /** Worker places with clusters of this profile. */
  readonly places: Set<string>;
}

export interface Profiles {
  readonly all: readonly Profile[];
  readonly ofDatacenter: ReadonlyMap<string, ReadonlySet<Profile>>;
  /** Names of the clusters of some profiles, sorted. Entries that are needed by the same clusters share one list. */
  readonly clustersOf: (wanted: ReadonlySet<Profile>) => string[];
}

/** What the profiles come from, in the order of `ctx.clusters`. */
export interface Seating {
  readonly names: readonly string[];
  readonly seats: readonly Seat[];
  readonly versions: readonly string[];
}

export const seatingOf = ({ clusters }: PlanContext): Seating => ({
  names: clusters.map((c) => c.name),
  seats: clusters.map(seatOf),
  versions: clusters.map(kubeletVersionOf),
});

export function profilesOf(ctx: PlanContext, { names, seats, versions }: Seating): Profiles {
  const byKey = new Map<string, Profile>();
  const ofDatacenter = new Map<string, Set<Profile>>();
  const ofSeat = new Map<Seat, Profile>();
  for (const seat of new Set([...seats, ...emptySeats(ctx)])) {
    const profile = getOrAdd(byKey, seat.profileKey, () => newProfile(byKey.size, seat));
    profile.places.add(seat.place);
    getOrAdd(ofDatacenter, seat.datacenter.metadata.name, () => new Set<Profile>()).add(profile);
    ofSeat.set(seat, profile);
  }
  const ofClusters = seats.map((seat) => ofSeat.get(seat) as Profile);
  for (const [i, profile] of ofClusters.entries()) profile.versions.add(versions[i] as string);
  return { all: [...byKey.values()], ofDatacenter, clustersOf: namesOf(names, byKey.size, ofClusters) };
}

const newProfile = (number: number, { profileKey, facts }: Seat): Profile => ({
  number,
  key: profileKey,
  facts,
  versions: new Set(),
  places: new Set(),
});

export const keyOfSet = (profiles: ReadonlySet<Profile>): string => {
  let key = '';
  for (const profile of profiles) key += `${profile.number} `;
  return key;
};

function namesOf(names: readonly string[], count: number, ofClusters: readonly Profile[]): Profiles['clustersOf'] {
  const everyone = [...names];
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
