// Hosts to allow and hosts to remove, by source, port and path: a host stays while any component still fetches from it.
import type { EgressEntry, Plan } from '../../plan/schema/index.ts';
import { mergedRequests, type Reasoned, type Request } from './request.ts';

interface Fetch {
  readonly entry: EgressEntry;
  readonly place: string;
  readonly port: number;
  /** Empty: the whole host. */
  readonly path: string;
}

const atPort = ({ place, entry, port }: Fetch): string => `${place} ${entry.host} ${port}`;
const namesVersion = /\/v\d+\.\d+\.\d+\//;
const forComponent = (fetch: Fetch): string => `${atPort(fetch)} ${fetch.entry.component}`;
const atPath = (fetch: Fetch): string => `${atPort(fetch)} ${fetch.path}`;

const fetchesOf = (plan: Plan): Fetch[] =>
  plan.egress.entries
    .filter(({ status }) => status === 'active')
    .flatMap((entry) =>
      entry.from.flatMap((place) =>
        entry.ports.flatMap((port) =>
          (entry.paths.length > 0 ? entry.paths : ['']).map((path) => ({ entry, place, port, path })),
        ),
      ),
    );

export function allowListAsks(before: Plan, after: Plan): Request[] {
  const old = fetchesOf(before);
  const known = new Set(old.map(atPath));
  const versioned = new Set(old.filter(({ path }) => namesVersion.test(path)).map(forComponent));
  // Without clusters no version is known, and so no path; that does not ask for the whole host.
  const isWider = (f: Fetch): boolean => f.path !== '' || !versioned.has(forComponent(f));
  return requests(fetchesOf(after).filter((f) => !known.has(atPath(f)) && !known.has(`${atPort(f)} `) && isWider(f)));
}

/** A whole host is not given up while one of its paths is needed. */
export function allowListRemovals(before: Plan, after: Plan): Request[] {
  const needed = fetchesOf(after);
  const [paths, ports] = [new Set(needed.map(atPath)), new Set(needed.map(atPort))];
  const isNeeded = (f: Fetch): boolean =>
    paths.has(atPath(f)) || paths.has(`${atPort(f)} `) || (f.path === '' && ports.has(atPort(f)));
  return requests(fetchesOf(before).filter((fetch) => !isNeeded(fetch)));
}

function requests(fetches: readonly Fetch[]): Request[] {
  const perEntry = Map.groupBy(fetches, ({ entry }) => entry);
  return mergedRequests([...perEntry].flatMap(([entry, own]) => entryNeeds(entry, own)));
}

function entryNeeds(entry: EgressEntry, fetches: readonly Fetch[]): Reasoned[] {
  const perPath = Map.groupBy(fetches, ({ place, path }) => `${place} ${path}`);
  const perPorts = Map.groupBy(perPath.values(), (same) => {
    const ports = [...new Set(same.map(({ port }) => port))];
    return `${same[0]?.place} → ${entry.host}:${ports.join(',')}`;
  });
  return [...perPorts].map(([target, groups]) => ({
    text: [target, ...groups.map((same) => same[0]?.path ?? '')].join(' ').trimEnd(),
    reasons: [`${entry.component}: ${entry.reason}`],
    rows: [entry.requirement],
  }));
}
