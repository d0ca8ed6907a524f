import type { Plan } from '../../plan/schema/index.ts';
import { whereText } from '../../render/firewall/rows.ts';
import { table } from './table.ts';

/** Every place with its addresses, and how many flows leave and reach it. */
export function placeTable(plan: Plan): string {
  const count = (key: 'from' | 'to', id: string): string =>
    String(plan.flows.filter((flow) => flow[key] === id).length);
  const rows = Object.values(plan.places).map((place) => [
    place.id,
    place.title,
    whereText(place),
    count('from', place.id),
    count('to', place.id),
  ]);
  return table(['PLACE', 'TITLE', 'WHERE', 'OUT', 'IN'], rows);
}
