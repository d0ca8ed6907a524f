// The flows as a table, and who is asked for: --from users --to seed.
import { CausewayError } from '../../core/errors.ts';
import { suggestion } from '../../core/suggest.ts';
import { isAt } from '../../plan/places/is-at.ts';
import type { Flow, Plan } from '../../plan/schema/index.ts';
import { placeOf, portsText, whereText } from '../../render/firewall/rows.ts';
import { table } from './table.ts';

export function select({ flows, places }: Plan, from: string | undefined, to: string | undefined): Flow[] {
  for (const wanted of [from, to]) if (wanted !== undefined) assertKnown(wanted, Object.keys(places));
  return flows.filter(
    (flow) => (from === undefined || isAt(flow.from, from)) && (to === undefined || isAt(flow.to, to)),
  );
}

/** A mistyped place would otherwise look like a place that nothing leads to. */
function assertKnown(wanted: string, places: readonly string[]): void {
  if (places.some((place) => isAt(place, wanted))) return;
  const words = [...new Set(places.flatMap((place) => [place, ...place.split('/')]))];
  const message = `there is no place "${wanted.slice(0, 80)}" in this plan`;
  throw new CausewayError('CW-CLI-PLACE', message, suggestion(wanted, words));
}

export function flowTable(plan: Plan, flows: readonly Flow[], wide: boolean): string {
  const header = [
    'FROM',
    'TO',
    'PROTO',
    'PORTS',
    'ROW',
    'CLUSTERS',
    ...(wide ? ['SOURCE', 'DESTINATION'] : []),
    'REASON',
  ];
  return table(
    header,
    flows.map((flow) => rowOf(plan, flow, wide)),
  );
}

function rowOf(plan: Plan, flow: Flow, wide: boolean): string[] {
  const where = wide ? [whereText(placeOf(plan, flow.from)), whereText(placeOf(plan, flow.to))] : [];
  return [
    flow.from,
    flow.to,
    flow.protocol,
    portsText(flow),
    flow.requirement,
    clustersText(flow.clusters),
    ...where,
    flow.reason,
  ];
}

const shownNames = 3;
export const clustersText = (clusters: readonly string[]): string =>
  clusters.length <= shownNames
    ? clusters.join(',')
    : `${clusters.slice(0, shownNames).join(',')} +${clusters.length - shownNames}`;
