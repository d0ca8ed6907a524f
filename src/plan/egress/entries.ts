// Collects lines into entries: one per host, component and status, with everything that is known about it.
import { getOrAdd } from '../../core/collections.ts';
import { sameItems } from '../places/members.ts';
import type { EgressEntry } from '../schema/index.ts';
import type { Line } from './download.ts';
import { keyOfSet, type Profile, type Profiles } from './profiles.ts';
import { componentBehind, redirects } from './tables/index.ts';

// Who needs an entry of the allow-list, finer than the list tells it. Flows must know: what is needed whatever clusters
// there are stays when the last one goes, and a place can have several ways out, not all of them prepared.

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

/** Who needs a line. Neither workers nor clusters: the platform itself. */
export interface Needed {
  /** Places that connect. */
  readonly places?: Iterable<string>;
  /** Profiles whose workers connect, for their own clusters. */
  readonly workers?: Iterable<Profile>;
  /** Profiles whose clusters it is for, though others connect. */
  readonly served?: Iterable<Profile>;
  /** Those of the places that need it whatever clusters there are. */
  readonly always?: Iterable<string>;
  /** For the clusters of which datacenters the places need it. */
  readonly callers?: Iterable<Caller>;
}
export interface Caller {
  readonly place: string;
  readonly datacenter: string;
}

interface Draft {
  readonly fixed: Line['fixed'];
  readonly lines: Set<Line>;
  readonly ports: Set<number>;
  readonly paths: Set<string>;
  readonly images: Set<string>;
  readonly places: Set<string>;
  readonly workers: Set<Profile>;
  readonly served: Set<Profile>;
  readonly always: Set<string>;
  readonly callers: Set<Caller>;
}
export type Drafts = Map<string, Draft>;

export function addLines(drafts: Drafts, lines: readonly Line[], needed: Needed): void {
  for (const line of lines) {
    const draft = draftOf(drafts, line.fixed);
    if (!draft.lines.has(line)) addContent(draft, line);
    addNeeded(draft, needed);
  }
}

/** A line that many profiles share is read once. */
function addContent(draft: Draft, line: Line): void {
  draft.lines.add(line);
  addAll(draft.ports, line.ports);
  addAll(draft.paths, line.paths);
  addAll(draft.images, line.images);
}

function draftOf(drafts: Drafts, fixed: Draft['fixed']): Draft {
  const key = `${fixed.host} ${fixed.component} ${fixed.status}`;
  return getOrAdd(drafts, key, () => ({
    fixed,
    lines: new Set<Line>(),
    ports: new Set<number>(),
    paths: new Set<string>(),
    images: new Set<string>(),
    places: new Set<string>(),
    workers: new Set<Profile>(),
    served: new Set<Profile>(),
    always: new Set<string>(),
    callers: new Set<Caller>(),
  }));
}

function addNeeded(draft: Draft, needed: Needed): void {
  addAll(draft.places, needed.places);
  addAll(draft.workers, needed.workers);
  addAll(draft.served, needed.served);
  addAll(draft.always, needed.always);
  addAll(draft.callers, needed.callers);
}

function addAll<Item>(set: Set<Item>, items: Iterable<Item> = []): void {
  for (const item of items) set.add(item);
}

/** Adds what each host sends its clients to. Iterating a Map visits what is added meanwhile, so the list is closed. */
export function addRedirects(drafts: Drafts): void {
  for (const draft of drafts.values()) {
    const redirect = redirects.get(draft.fixed.host);
    if (redirect === undefined || draft.fixed.status === 'retired') continue;
    for (const host of redirect.hosts) {
      const behind = draftOf(drafts, behindOf(host, draft.fixed.host, redirect.reason));
      behind.ports.add(443);
      addNeeded(behind, draft);
    }
  }
}

const behindOf = (host: string, front: string, reason: string): Draft['fixed'] => ({
  host,
  component: componentBehind(front),
  status: 'active',
  replacedBy: [],
  redirectOf: front,
  reason,
  requirement: 'EGR-13',
});

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const sorted = (items: Iterable<string>): string[] => [...items].sort(byText);

export function demandsOf(drafts: Drafts, profiles: Profiles): Demand[] {
  const keys = [...drafts.keys()].sort(byText);
  const [placesOf, preparedOf] = [allPlaces(), allPrepared()];
  return keys.map((key) => {
    const draft = drafts.get(key) as Draft;
    const entry = {
      ...draft.fixed,
      ports: [...draft.ports].sort((a, b) => a - b),
      paths: sorted(draft.paths),
      images: sorted(draft.images),
      from: placesOf(draft),
      clusters: profiles.clustersOf(draft.served.size === 0 ? draft.workers : draft.workers.union(draft.served)),
    };
    const prepared = preparedOf(draft);
    const always = draft.always.size === 0 ? prepared : sorted(draft.always.union(new Set(prepared)));
    return { entry, always, served: servedBy(draft) };
  });
}

/** Most entries are needed from one of few sets of places. */
function allPlaces(): (draft: Draft) => string[] {
  const known = new Map<string, string[]>();
  const collect = ({ places, workers }: Draft): string[] => {
    const all = new Set(places);
    for (const profile of workers) addAll(all, profile.places);
    return sorted(all);
  };
  return (draft) => getOrAdd(known, `${keyOfSet(draft.workers)}${[...draft.places].join()}`, () => collect(draft));
}

function allPrepared(): (draft: Draft) => string[] {
  const known = new Map<string, string[]>();
  const collect = ({ workers }: Draft): string[] => {
    const all = new Set<string>();
    for (const profile of workers) addAll(all, profile.prepared);
    return sorted(all);
  };
  return (draft) => getOrAdd(known, keyOfSet(draft.workers), () => collect(draft));
}

function servedBy({ callers }: Draft): Map<string, string[]> {
  const datacenters = new Map<string, string[]>();
  for (const { place, datacenter } of callers) getOrAdd(datacenters, place, () => []).push(datacenter);
  return datacenters;
}
