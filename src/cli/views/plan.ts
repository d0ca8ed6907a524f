// The flows as a table, and who is asked for: --from users --to seed.
import { CausewayError } from '../../core/errors.ts';
import { suggestion } from '../../core/suggest.ts';
import { isAt } from '../../plan/index.ts';
import type { Endpoint, Flow, Plan } from '../../plan/schema/index.ts';
import { originText } from '../../plan/settings/index.ts';
import { placeOf, portsText, whereText } from '../../render/index.ts';
import { bold, dim, table } from './table.ts';

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
    flows.map((flow) => flowRow(plan, flow, wide)),
  );
}

function flowRow(plan: Plan, flow: Flow, wide: boolean): string[] {
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

export function clusterTable(plan: Plan, wide: boolean): string {
  const header = [
    'CLUSTER',
    'SEED',
    'DATACENTER',
    'STRATEGY',
    'ENTRY',
    'API SERVER',
    'KONNECTIVITY',
    'TUNNEL',
    ...(wide ? ['KUBECONFIG', 'STRATEGY FROM'] : []),
  ];
  return table(
    header,
    Object.values(plan.endpoints).map((endpoint) => endpointRow(plan, endpoint, wide)),
  );
}

function endpointRow(plan: Plan, endpoint: Endpoint, wide: boolean): string[] {
  const from = plan.settings.clusters[endpoint.cluster]?.exposeStrategy?.from;
  return [
    endpoint.cluster,
    endpoint.seed,
    endpoint.datacenter,
    endpoint.strategy,
    endpoint.strategy === 'Tunneling' ? endpoint.entry : '-',
    dialed(endpoint.apiServer),
    dialed(endpoint.konnectivity),
    endpoint.tunnel === undefined ? '-' : dialed(endpoint.tunnel),
    ...(wide ? [endpoint.kubeconfigServer ?? 'pending', from === undefined ? '' : originText(from)] : []),
  ];
}

const dialed = (target: { readonly host: string | null; readonly port: number | null }): string =>
  target.host === null || target.port === null ? 'pending' : `${target.host}:${target.port}`;

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

// Five lines that say how big the plan is and what is still open in it.

export function summary(plan: Plan): string {
  const pending = plan.dns.records.filter((record) => record.phase === 'name').length;
  const proposed = proposals(plan);
  const lines = [
    `${bold(plan.platform.name)}  ${plan.platform.domain}`,
    `  ${count(Object.keys(plan.endpoints).length, 'cluster')} on ${count(Object.keys(plan.gateway).length, 'seed')}, ${count(plan.flows.length, 'flow')}, ${count(plan.dns.records.length, 'DNS record')}${pending > 0 ? ` (${pending} without address yet)` : ''}, ${count(plan.certificates.length, 'certificate')}`,
    `  ${count(plan.egress.entries.filter((entry) => entry.status === 'active').length, 'allow-list entry', 'allow-list entries')}, ${count(plan.requirements.length, 'requirement')} apply`,
  ];
  if (proposed > 0)
    lines.push(
      dim(
        `  ${count(proposed, 'address or port is', 'addresses or ports are')} proposed; --lock keeps ${proposed === 1 ? 'it' : 'them'}`,
      ),
    );
  return `${lines.join('\n')}\n`;
}

export function proposals(plan: Plan): number {
  const pools = plan.addresses.pools.flatMap((pool) => pool.allocations);
  const ports = plan.addresses.nodePorts.flatMap((seed) => seed.allocations);
  return [...pools, ...ports].filter((allocation) => !allocation.locked).length;
}

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
