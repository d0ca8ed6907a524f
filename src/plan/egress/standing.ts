// Who needs an entry, finer than the allow-list tells it. Flows must know: what is needed whatever clusters there are
// stays when the last one goes, and a place can have several ways out, not all of them prepared.
import { sameItems } from '../places/members.ts';
import type { EgressEntry } from '../schema/index.ts';

export interface Standing {
  /** Places that need it whatever clusters there are: the platform itself, and workers that are prepared for. */
  readonly places: readonly string[];
  /** Places that need it for the clusters of datacenters, by name. */
  readonly served: ReadonlyMap<string, readonly string[]>;
}

const known = new WeakMap<EgressEntry, Standing>();
const nobody: Standing = { places: [], served: new Map() };

export function noteStanding(entry: EgressEntry, standing: Standing): EgressEntry {
  known.set(entry, standing);
  return entry;
}

export const standingOf = (entry: EgressEntry): Standing => known.get(entry) ?? nobody;

export function sameStanding(a: Standing, b: Standing): boolean {
  if (a === b) return true;
  if (a.served.size !== b.served.size || !sameItems(a.places, b.places)) return false;
  for (const [place, datacenters] of a.served) if (!sameItems(datacenters, b.served.get(place) ?? [])) return false;
  return true;
}
