// The allow-list as flows: to the internet, through a proxy, or to the private registry.
import { getOrAdd } from '../../core/get-or-add.ts';
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import type { Egress, EgressEntry } from '../schema/index.ts';
import type { FlowList } from './flow-list.ts';
import { type Lane, lanesOf } from './lanes.ts';
import { hopToProxy } from './proxies.ts';

/** What one lane needs for the same row on the same ports. */
interface Need {
  readonly requirement: string;
  readonly ports: readonly number[];
  readonly hosts: string[];
  /** Lists of clusters, as the entries have them; many entries share one. */
  readonly lists: Set<readonly string[]>;
}

export function addEgress(list: FlowList, ctx: PlanContext, egress: Egress): void {
  const lanes = lanesOf(ctx);
  const needs = new Map<Lane, Map<string, Need>>(lanes.all.map((lane) => [lane, new Map()]));
  for (const entry of inOrder(egress.entries))
    for (const place of entry.from) for (const lane of lanes.at(place)) note(needs.get(lane), entry);
  for (const [lane, needed] of needs) {
    addWay(list, lane);
    for (const need of needed.values()) {
      const clusters = lanes.needing(lane, need.lists);
      if (clusters !== undefined) addNeed(list, lane, need, clusters);
    }
  }
}

function note(needs: Map<string, Need> | undefined, { host, ports, requirement, clusters }: EgressEntry): void {
  if (needs === undefined) return;
  const need = getOrAdd(needs, `${requirement} ${ports.join()}`, () => ({
    requirement,
    ports,
    hosts: [],
    lists: new Set(),
  }));
  if (need.hosts.at(-1) !== host) need.hosts.push(host);
  need.lists.add(clusters);
}

/** The way to the proxy is needed even where no entry names the place. */
function addWay(list: FlowList, { place, proxies, clusters }: Lane): void {
  if (proxies === undefined) return;
  hopToProxy(list, place, proxies.secure, clusters);
  hopToProxy(list, place, proxies.plain, clusters);
}

function addNeed(list: FlowList, { place, proxies }: Lane, need: Need, clusters: readonly string[]): void {
  const { requirement, ports } = need;
  if (requirement.startsWith('OFF-')) {
    const reason = 'Images, binaries and packages come from the private registry and its mirrors.';
    list.add({ from: place, to: id.registry, ports, reason, requirement, clusters });
    return;
  }
  if (proxies === undefined) {
    list.add({
      from: place,
      to: id.internet,
      ports,
      reason: `Allow-list: ${shown(need.hosts)}.`,
      requirement,
      clusters,
    });
    return;
  }
  const through = {
    to: id.internet,
    reason: 'The proxy permits what is on the allow-list.',
    requirement: 'PRX-3',
    clusters,
  };
  const [plain, secure] = [ports.filter((port) => port === 80), ports.filter((port) => port !== 80)];
  if (plain.length > 0) list.add({ ...through, from: proxies.plain.id, ports: plain });
  if (secure.length > 0) list.add({ ...through, from: proxies.secure.id, ports: secure });
}

const enough = 3;
const shown = (hosts: readonly string[]): string =>
  hosts.length <= enough ? hosts.join(', ') : `${hosts.slice(0, enough).join(', ')} and ${hosts.length - enough} more`;

/** By row, so that the flows of a place read like the catalogue. Entries come sorted by host. */
function inOrder(entries: readonly EgressEntry[]): EgressEntry[] {
  const rows = new Map<string, EgressEntry[]>();
  for (const entry of entries) {
    if (entry.status === 'retired' || isProviderApi(entry)) continue;
    getOrAdd(rows, rowOf(entry), () => []).push({ ...entry, requirement: rowOf(entry) });
  }
  return [...rows.keys()].sort(byRow).flatMap((row) => rows.get(row) as EgressEntry[]);
}

/** The row of the port table is the seed's; whoever else calls a provider does so because it may use the internet. */
const rowOf = ({ requirement }: EgressEntry): string => (requirement === 'PRT-7' ? 'PRX-1' : requirement);

/** Interfaces of providers are a place of their own, with flows of their own. */
const isProviderApi = ({ requirement }: EgressEntry): boolean => /^(AWS|AZ|OS|VS)-/.test(requirement);

function byRow(a: string, b: string): number {
  const [left, right] = [a.split('-') as [string, string], b.split('-') as [string, string]];
  if (left[0] !== right[0]) return left[0] < right[0] ? -1 : 1;
  return Number(left[1]) - Number(right[1]);
}
