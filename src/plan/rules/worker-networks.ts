// Networks of the workers: told apart from those of other datacenters, served by DHCP, and large enough.
import { intervalSet } from '../../core/intervals.ts';
import { type IpRange, overlaps, parseCidr, parseRange, sizeOf } from '../../core/ip.ts';
import type { Finding } from '../../model/index.ts';
import type { Datacenter } from '../../model/schema/index.ts';
import { memo } from '../cache.ts';
import type { ClusterContext } from '../context.ts';
import { freeNetwork, smallestPrefix } from './free-space.ts';
import { type ClusterRule, finding, nameOf, none, type PlanRule } from './rule.ts';

interface Placed {
  readonly text: string;
  readonly range: IpRange;
  readonly datacenter: Datacenter;
  readonly index: number;
}
const networksOf = memo((datacenter: Datacenter): Placed[] =>
  datacenter.spec.nodes.networks.map((text, index) => ({ text, range: parseCidr(text), datacenter, index })),
);
const byStart = (a: Placed, b: Placed): number =>
  a.range.family - b.range.family || (a.range.first < b.range.first ? -1 : a.range.first > b.range.first ? 1 : 0);

/** NET-5: a firewall cannot tell two datacenters apart that share addresses. Sorted once, then one sweep. */
export const sharedNodeNetworkRule: PlanRule = ({ cache, model }) => {
  const sorted = model.datacenters.flatMap((datacenter) => networksOf(cache, datacenter)).sort(byStart);
  const findings: Finding[] = [];
  let widest: Placed | undefined;
  for (const next of sorted) {
    if (widest !== undefined && overlaps(widest.range, next.range) && widest.datacenter !== next.datacenter)
      findings.push(sharedNetwork(widest, next, sorted));
    if (widest === undefined || widest.range.family !== next.range.family || next.range.last > widest.range.last)
      widest = next;
  }
  return findings;
};

function sharedNetwork(first: Placed, second: Placed, all: readonly Placed[]): Finding {
  const { family } = second.range;
  const prefix = parseCidr(second.text).prefix;
  const free = freeNetwork(
    family,
    prefix,
    all.map((placed) => placed.range),
  );
  return finding('CW-CIDR-OVERLAP', {
    resource: nameOf(second.datacenter),
    path: ['spec', 'nodes', 'networks', second.index],
    message: `node network ${second.text} overlaps node network ${first.text} of datacenter ${first.datacenter.metadata.name}: rules for one would hold for the other`,
    fix: `give each datacenter its own network${free === undefined ? '' : `, for example ${free}`}; if it is one network, describe it as one datacenter with tenants`,
    related: nameOf(first.datacenter),
  });
}

/** NET-1, VS-9. Machines that exist already, without an API that creates them, may have fixed addresses. */
export const dhcpRule: PlanRule = ({ model }) =>
  model.datacenters
    .filter(({ spec }) => spec.nodes.dhcp?.enabled === false && !isHandmade(spec.provider))
    .map((datacenter) =>
      finding('CW-DHCP-REQUIRED', {
        resource: nameOf(datacenter),
        path: ['spec', 'nodes', 'dhcp', 'enabled'],
        message: `worker network ${datacenter.spec.nodes.networks.join(', ')} has no DHCP: machines of user clusters never get an address`,
        fix: 'enable DHCP on the network (a scope, or a relay for its VLAN), then set nodes.dhcp.enabled to true',
      }),
    );

const isHandmade = (provider: Datacenter['spec']['provider']): boolean =>
  provider.bare !== undefined && provider.bare.apiEndpoints === undefined;

/** AZ-3, NET-1: planned and surge nodes fit into the networks, and into what DHCP hands out. */
export const subnetSizeRule: PlanRule = (ctx) =>
  ctx.model.datacenters.flatMap((datacenter) => {
    const { planned = 0, surge = 0 } = datacenter.spec.nodes;
    const written = nodesOf(ctx.clustersOfDatacenter.get(datacenter.metadata.name) ?? []);
    const needed = Math.max(planned, written) + (Math.max(planned, written) === 0 ? 0 : surge);
    const room = roomOf(ctx.cache, datacenter);
    return room === undefined || needed <= room.usable ? none : [tooSmall(datacenter, needed, room)];
  });

const nodesOf = (clusters: readonly ClusterContext[]): number =>
  clusters.reduce((sum, { cluster }) => sum + (cluster.spec.nodes?.count ?? 0), 0);

interface Room {
  readonly what: string;
  readonly usable: number;
  /** Addresses that the network has, but machines cannot use. */
  readonly lost: number;
  readonly path: readonly (string | number)[];
}

const roomOf = memo(({ spec }: Datacenter): Room | undefined => {
  const { dhcp, networks } = spec.nodes;
  const own = [...networks, ...(spec.tenants ?? []).flatMap((tenant) => tenant.networks)];
  const azure = spec.provider.azure;
  if (azure !== undefined && spec.tenants === undefined)
    return room(`subnet ${azure.subnetCIDR}`, [azure.subnetCIDR], 5, ['spec', 'provider', 'azure', 'subnetCIDR']);
  if (dhcp?.ranges !== undefined && spec.tenants === undefined)
    return room(`DHCP range ${dhcp.ranges.join(', ')}`, dhcp.ranges, 0, ['spec', 'nodes', 'dhcp', 'ranges']);
  return room(`network ${own.join(', ')}`, own, 3, ['spec', 'nodes', 'networks']);
});

function room(what: string, texts: readonly string[], lost: number, path: Room['path']): Room | undefined {
  const v4 = intervalSet(texts.map(parseRange).filter((range) => range.family === 4));
  if (v4.length === 0) return undefined;
  const size = v4.reduce((sum, { first, last }) => sum + Number(sizeOf({ family: 4, first, last })) - lost, 0);
  return { what, usable: Math.max(0, size), lost, path };
}

const tooSmall = (datacenter: Datacenter, needed: number, { what, usable, lost, path }: Room): Finding =>
  finding('CW-SUBNET-SIZE', {
    resource: nameOf(datacenter),
    path,
    message: `${what} has ${usable} addresses for machines, ${needed} nodes are planned with surge`,
    fix:
      lost === 0
        ? `hand out at least ${needed} addresses, or plan fewer nodes`
        : `use a /${smallestPrefix(needed, lost)}, or plan fewer nodes`,
  });

/** Each node takes a /24 of the pod network. */
export const podNetworkSizeRule: ClusterRule = (c) => {
  const count = c.cluster.spec.nodes?.count ?? 0;
  const [pods] = c.effective.pods;
  if (pods === undefined || pods.includes(':')) return none;
  const prefix = Number(pods.slice(pods.indexOf('/') + 1));
  if (prefix > 24 || count <= 2 ** (24 - prefix)) return none;
  return [
    finding('CW-SUBNET-SIZE', {
      resource: nameOf(c.cluster),
      path: ['spec', 'nodes', 'count'],
      message: `pod network ${pods} has room for ${2 ** (24 - prefix)} nodes with a /24 each, ${count} are planned`,
      fix: `use a pod network of /${24 - Math.ceil(Math.log2(count))}, or fewer nodes`,
    }),
  ];
};
