// Flows with their places written out: what the four forms of the matrix, the ruleset and the requests share.
import { intervalSet } from '../../core/intervals.ts';
import { contains, parseRange } from '../../core/ip.ts';
import type { Flow, Place, Plan } from '../../plan/schema/index.ts';

export interface MatrixRow {
  readonly flow: Flow;
  readonly source: Place;
  readonly destination: Place;
}

const unknownPlace = (id: string): Place => ({ id, title: id, networks: [], hosts: [], pending: true });
export const placeOf = (plan: Plan, id: string): Place => plan.places[id] ?? unknownPlace(id);

export const matrixRows = (plan: Plan): MatrixRow[] =>
  plan.flows.map((flow) => ({
    flow,
    source: placeOf(plan, flow.from),
    destination: destinationOf(placeOf(plan, flow.to)),
  }));

const singleHosts = new Set(['installer', 'bastion']);
const isSingleAddress = (network: string): boolean => !/[/-]/.test(network);

/** Connections come from any address of the host's networks, but go to the host alone. */
export function destinationOf(place: Place): Place {
  const own = singleHosts.has(place.id) ? place.networks.filter(isSingleAddress) : [];
  if (own.length === 0 || own.length === place.networks.length) return place;
  return { ...place, id: `${place.id}/host`, networks: own };
}

/** Addresses and names of a place in one list, each address once. */
export const whereOf = (place: Place): string[] => [...withoutCovered(place.networks), ...place.hosts];

/** Lists longer than this are addresses that the plan gave out one by one: none of them covers another. */
const comparable = 64;

function withoutCovered(networks: readonly string[]): readonly string[] {
  if (networks.length > comparable) return networks;
  const ranges = networks.map(parseRange);
  const isCovered = (at: number): boolean =>
    ranges.some((range, i) => {
      const inner = ranges[at];
      if (i === at || inner === undefined || !contains(range, inner)) return false;
      // Of two that are the same, the first stays.
      return !contains(inner, range) || i < at;
    });
  return networks.filter((_, at) => !isCovered(at));
}

/** As in a firewall request: nothing known is said, not left out. */
export function whereText(place: Place): string {
  const where = whereOf(place);
  if (where.length > 0) return where.join(' ');
  return place.pending ? 'not known yet' : 'any';
}

export const portsText = ({ ports }: Pick<Flow, 'ports'>): string => (ports.length === 0 ? 'all' : ports.join(','));

/** Ports and ranges of ports as a set without overlaps, which is what packet filters accept. */
export function mergedPorts(ports: readonly (number | string)[]): string[] {
  const intervals = ports.map((port) => {
    const [first = '', last = first] = String(port).split('-');
    return { first: BigInt(first), last: BigInt(last) };
  });
  return intervalSet(intervals).map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
}
