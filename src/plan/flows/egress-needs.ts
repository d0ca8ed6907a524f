// What each place needs of the allow-list, by row and ports: many hosts become one rule of a firewall.
import { getOrAdd } from '../../core/collections.ts';
import { byName } from '../../core/names.ts';
import type { Platform } from '../../model/schema/index.ts';
import { slot } from '../cache.ts';
import { groupOf, rowById } from '../catalogue/index.ts';
import type { PlanContext } from '../context.ts';
import { type Demand, sameCallers } from '../egress/entries.ts';
import { gatewayComponent } from '../egress/gateways.ts';
import { sameItems } from '../places/members.ts';
import type { EgressEntry } from '../schema/index.ts';

export interface Need {
  readonly requirement: string;
  readonly ports: readonly number[];
  readonly hosts: readonly string[];
  /** Lists of clusters, as the entries have them; many entries share one. */
  readonly lists: readonly (readonly string[])[];
  /** Needed whatever clusters there are. */
  readonly always: boolean;
  /** Datacenters for whose clusters it is needed, by name. */
  readonly served: ReadonlySet<string>;
}
interface OpenNeed extends Need {
  readonly hosts: string[];
  readonly lists: (readonly string[])[];
  always: boolean;
  readonly served: Set<string>;
}
export type Needs = ReadonlyMap<string, readonly Need[]>;

const lastNeeds = slot<Platform, { readonly demands: readonly Demand[]; readonly needs: Needs }>();

/** By place. The same object as last time where nothing changed that a firewall could see. */
export function needsByPlace({ cache, model }: PlanContext, all: readonly Demand[]): Needs {
  const demands = all.filter(({ entry }) => entry.status === 'active' && !isElsewhere(entry));
  const last = lastNeeds.get(cache, model.platform);
  if (last !== undefined && sameDemands(last.demands, demands)) return last.needs;
  const needs = compute(demands);
  lastNeeds.set(cache, model.platform, { demands, needs });
  return needs;
}

/** Interfaces of providers and gateways are places of their own, with flows of their own. */
const isElsewhere = ({ requirement, component }: EgressEntry): boolean =>
  component === gatewayComponent || groupOf(requirement)?.provider !== undefined;

const sameDemands = (a: readonly Demand[], b: readonly Demand[]): boolean =>
  a.length === b.length &&
  a.every((demand, i) => {
    const other = b[i] as Demand;
    return sameForFirewalls(demand.entry, other.entry) && sameCallers(demand, other);
  });

/** Paths and images come and go with versions; no firewall asks for them. */
const sameForFirewalls = (a: EgressEntry, b: EgressEntry): boolean =>
  a.host === b.host &&
  a.requirement === b.requirement &&
  (a.clusters === b.clusters || a.clusters.length + b.clusters.length === 0) &&
  sameItems(a.ports, b.ports) &&
  sameItems(a.from, b.from);

function compute(demands: readonly Demand[]): Needs {
  const places = new Map<string, Map<string, OpenNeed>>();
  for (const demand of demands) {
    const { entry } = demand;
    const requirement = rowOf(entry);
    const key = `${requirement} ${entry.ports.join()}`;
    const newNeed = (): OpenNeed => ({
      requirement,
      ports: entry.ports,
      hosts: [],
      lists: [],
      always: false,
      served: new Set(),
    });
    for (const place of entry.from) note(getOrAdd(getOrAdd(places, place, newPlace), key, newNeed), demand, place);
  }
  return new Map([...places].map(([place, needs]) => [place, [...needs.values()].sort(byRow)]));
}
const newPlace = (): Map<string, OpenNeed> => new Map();

function note(need: OpenNeed, { entry, always, served }: Demand, place: string): void {
  const { host, clusters } = entry;
  if (need.hosts.at(-1) !== host) need.hosts.push(host);
  if (!need.lists.includes(clusters)) need.lists.push(clusters);
  need.always ||= always.includes(place);
  for (const datacenter of served.get(place) ?? []) need.served.add(datacenter);
}

/** The row of the port table is the seed's; whoever else calls a provider does so because it may use the internet. */
const rowOf = ({ requirement }: EgressEntry): string => (requirement === 'PRT-7' ? 'PRX-1' : requirement);

/** By letters of the groups, and within a group as the catalogue has it. */
function byRow({ requirement: a }: Need, { requirement: b }: Need): number {
  const [left, right] = [rowById.get(a), rowById.get(b)];
  if (left === undefined || right === undefined) return byName(a, b);
  return left.group === right.group ? left.order - right.order : byName(left.group.letters, right.group.letters);
}
