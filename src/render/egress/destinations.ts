// Who goes to which hosts and ports through a forward proxy.
import { gatewayComponent } from '../../plan/index.ts';
import type { EgressEntry, Plan } from '../../plan/schema/index.ts';

/** Hosts that the same places reach on the same ports, so that they fit one rule. */
export interface DestinationGroup {
  readonly from: readonly string[];
  readonly ports: readonly number[];
  readonly hosts: readonly string[];
}

/** Places that download through a proxy; all that go out at all, where nobody has decided for one. */
export function proxiedPlaces(plan: Plan): Set<string> {
  const { modes, entries } = plan.egress;
  const downloads = entries.filter((entry) => entry.component !== gatewayComponent);
  const all = new Set(downloads.flatMap((entry) => entry.from));
  const proxied = [...all].filter((place) => modes[place] === 'proxy');
  return proxied.length > 0 ? new Set(proxied) : new Set([...all].filter((place) => modes[place] !== 'offline'));
}

export function destinationGroups(plan: Plan): DestinationGroup[] {
  const places = proxiedPlaces(plan);
  const sources = new Map<string, Set<string>>();
  const add = (host: string, port: number, from: readonly string[]): void => {
    const key = `${host} ${port}`;
    const known = sources.get(key) ?? new Set();
    for (const place of from) known.add(place);
    sources.set(key, known);
  };
  // Workers that reach their control plane only through the proxy do so however they download.
  const goesByProxy = ({ component }: EgressEntry, place: string): boolean =>
    component === gatewayComponent || places.has(place);
  for (const entry of plan.egress.entries) {
    const proxied = entry.from.filter((place) => goesByProxy(entry, place));
    if (entry.status === 'active' && proxied.length > 0) for (const port of entry.ports) add(entry.host, port, proxied);
  }
  return grouped(sources);
}

/** From sources per host and port to hosts per sources and ports, so that each host stands in as few rules as possible. */
function grouped(sources: ReadonlyMap<string, ReadonlySet<string>>): DestinationGroup[] {
  const portsOf = new Map<string, { from: string[]; host: string; ports: number[] }>();
  for (const [target, from] of sources) {
    const [host = '', port = ''] = target.split(' ');
    const sorted = [...from].sort();
    const key = `${sorted.join(' ')}|${host}`;
    const known = portsOf.get(key);
    if (known === undefined) portsOf.set(key, { from: sorted, host, ports: [Number(port)] });
    else known.ports.push(Number(port));
  }
  const groups = new Map<string, { from: string[]; ports: number[]; hosts: string[] }>();
  for (const { from, host, ports } of portsOf.values()) {
    ports.sort((a, b) => a - b);
    const key = `${from.join(' ')}|${ports.join(' ')}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { from, ports, hosts: [host] });
    else known.hosts.push(host);
  }
  return [...groups.values()];
}
