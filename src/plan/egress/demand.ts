// Who needs an entry of the allow-list, finer than the list tells it. Flows must know: what is needed whatever clusters
// there are stays when the last one goes, and a place can have several ways out, not all of them prepared.
import { sameItems } from '../places/members.ts';
import type { EgressEntry } from '../schema/index.ts';

export interface Demand {
  readonly entry: EgressEntry;
  /** Places that need it whatever clusters there are: the platform itself, and workers that are prepared for. */
  readonly always: readonly string[];
  /** Places that need it for the clusters of datacenters, by name. */
  readonly served: ReadonlyMap<string, readonly string[]>;
}

export function sameCallers(a: Demand, b: Demand): boolean {
  if (a === b) return true;
  if (a.served.size !== b.served.size || !sameItems(a.always, b.always)) return false;
  for (const [place, datacenters] of a.served) if (!sameItems(datacenters, b.served.get(place) ?? [])) return false;
  return true;
}
