// The flows as a table, and who is asked for: --from users --to seed.
import type { Flow, Plan } from '../../plan/schema/index.ts';
import { placeOf, portsText, whereText } from '../../render/firewall/rows.ts';
import { columns } from '../../render/text/columns.ts';

/** `seed` means every place of every seed, `seed/west` every place of that seed, `gateway` every gateway. */
export function isAt(place: string, wanted: string): boolean {
  const parts = place.split('/');
  return (
    place === wanted ||
    place.startsWith(`${wanted}/`) ||
    parts.at(-1) === wanted ||
    parts[0] === wanted.replace(/s$/, '')
  );
}

export const select = (flows: readonly Flow[], from: string | undefined, to: string | undefined): Flow[] =>
  flows.filter((flow) => (from === undefined || isAt(flow.from, from)) && (to === undefined || isAt(flow.to, to)));

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
  return columns(
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
