// Who goes to which hosts and ports through a forward proxy.
import type { Plan, Reachability } from '../../plan/schema/index.ts';

/** Hosts that the same places reach on the same ports, so that they fit one rule. */
export interface DestinationGroup {
  readonly from: readonly string[];
  readonly ports: readonly number[];
  readonly hosts: readonly string[];
}

/** Places that download through a proxy; all that go out at all, where nobody has decided for one. */
export function proxiedPlaces(plan: Plan): Set<string> {
  const { modes, entries } = plan.egress;
  const all = new Set(entries.flatMap((entry) => entry.from));
  const proxied = [...all].filter((place) => modes[place] === 'proxy');
  return proxied.length > 0 ? new Set(proxied) : new Set([...all].filter((place) => modes[place] !== 'offline'));
}

export function destinationGroups(plan: Plan): DestinationGroup[] {
  const places = proxiedPlaces(plan);
  const groups = new Map<string, { from: readonly string[]; ports: readonly number[]; hosts: Set<string> }>();
  const add = (host: string, ports: readonly number[], from: readonly string[]): void => {
    const key = `${from.join(' ')}|${ports.join(' ')}`;
    const group = groups.get(key) ?? { from, ports, hosts: new Set<string>() };
    groups.set(key, group);
    group.hosts.add(host);
  };
  for (const { host, ports, from, status } of plan.egress.entries) {
    const sources = from.filter((place) => places.has(place)).sort();
    if (status === 'active' && sources.length > 0) add(host, ports, sources);
  }
  for (const { place, host, port } of controlPlaneTargets(plan)) add(host, [port], [place]);
  return [...groups.values()].map(({ hosts, ...group }) => ({ ...group, hosts: [...hosts] }));
}

interface Target {
  readonly place: string;
  readonly host: string;
  readonly port: number;
}

/** Workers whose only way to their control plane is the proxy need it opened there, too. */
function controlPlaneTargets(plan: Plan): Target[] {
  return Object.entries(plan.proxy.workers).flatMap(([cluster, reachability]) => {
    const datacenter = plan.endpoints[cluster]?.datacenter;
    if (datacenter === undefined) return [];
    return proxiedTargets(reachability).map((target) => ({ place: `datacenter/${datacenter}/workers`, ...target }));
  });
}

function proxiedTargets({ kubelet, konnectivityAgent, nodeAgent, pods }: Reachability): Omit<Target, 'place'>[] {
  return [kubelet, konnectivityAgent, nodeAgent, pods].flatMap((way) => {
    if (way === undefined || !way.by.startsWith('proxy-')) return [];
    const match = /^\[?(.+?)\]?:(\d+)$/.exec(way.target);
    return match === null ? [] : [{ host: match[1] ?? '', port: Number(match[2]) }];
  });
}
