// Flows with their places written out: what the four forms of the matrix and the ruleset share.
import type { Flow, Place, Plan } from '../../plan/schema/index.ts';

export interface MatrixRow {
  readonly flow: Flow;
  readonly source: Place;
  readonly destination: Place;
}

const unknownPlace = (id: string): Place => ({ id, title: id, networks: [], hosts: [], pending: true });
export const placeOf = (plan: Plan, id: string): Place => plan.places[id] ?? unknownPlace(id);

export const matrixRows = (plan: Plan): MatrixRow[] =>
  plan.flows.map((flow) => ({ flow, source: placeOf(plan, flow.from), destination: placeOf(plan, flow.to) }));

/** Addresses and names of a place in one list. */
export const whereOf = (place: Place): string[] => [...place.networks, ...place.hosts];

/** As in a firewall request: nothing known is said, not left out. */
export function whereText(place: Place): string {
  const where = whereOf(place);
  if (where.length > 0) return where.join(' ');
  return place.pending ? 'not known yet' : 'any';
}

export const portsText = (flow: Flow): string => (flow.ports.length === 0 ? 'all' : flow.ports.join(','));
