// Nodes of master and seeds: addresses without DHCP, high availability, zones.
import {
  contains,
  type IpRange,
  overlaps,
  parseAddress,
  parseCidr,
  parseRange,
  rangeOf,
  sizeOf,
} from '../../core/ip.ts';
import type { Finding, Path } from '../../model/index.ts';
import type { Model, Seed } from '../../model/schema/index.ts';
import { freeRange } from './free-space.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

type Nodes = Seed['spec']['nodes'];
interface Management {
  readonly title: string;
  readonly resource: string;
  readonly path: Path;
  readonly nodes: Nodes;
  readonly api: Seed['spec']['api'];
  /** A managed service takes care of its own control plane. */
  readonly isManaged: boolean;
}

/** A seed that is the same cluster as the master is looked at once, where it describes itself. */
function managementClusters({ platform, seeds }: Model): Management[] {
  const { master } = platform.spec;
  const ofSeeds = seeds.map((seed) => ({
    title: `seed ${seed.metadata.name}`,
    resource: nameOf(seed),
    path: ['spec'],
    nodes: seed.spec.nodes,
    api: seed.spec.api,
    isManaged: seed.spec.provisioning?.tool === 'managed',
  }));
  if (seeds.some((seed) => seed.metadata.name === master.seed)) return ofSeeds;
  return [
    { title: 'master', resource: nameOf(platform), path: ['spec', 'master'], ...master, isManaged: false },
    ...ofSeeds,
  ];
}

const eachManagement =
  (rule: (m: Management) => readonly Finding[]): PlanRule =>
  ({ model }) =>
    managementClusters(model).flatMap(rule);

const controlPlaneSize = (nodes: Nodes): number => Math.max(3, nodes.controlPlane?.length ?? 0);
const total = (ranges: readonly IpRange[]): number => ranges.reduce((sum, range) => sum + Number(sizeOf(range)), 0);

/** VS-9: enough static addresses, inside the network, and not handed out by DHCP. */
export const staticRangeRule: PlanRule = eachManagement(({ title, resource, path, nodes }) => {
  const { dhcp, staticRanges, networks } = nodes;
  const ranges = (staticRanges ?? []).map(parseRange);
  const report = (message: string, fix: string): Finding[] => [
    finding('CW-STATIC-RANGE', { resource, path: [...path, 'nodes', 'staticRanges'], message, fix }),
  ];
  const needed = controlPlaneSize(nodes) + (nodes.workers ?? 0);
  const isStatic = dhcp?.enabled === false || (staticRanges !== undefined && dhcp?.enabled !== true);
  if (isStatic && total(ranges) < needed)
    return report(
      `${title} has ${total(ranges)} static addresses, its nodes need ${needed} (control plane ${controlPlaneSize(nodes)}, workers ${nodes.workers ?? 0})`,
      `set nodes.staticRanges to ${needed} addresses${example(networks, needed)}, or enable DHCP`,
    );
  const outside = staticRanges?.find(
    (text) => !networks.some((network) => contains(parseCidr(network), parseRange(text))),
  );
  if (outside !== undefined)
    return report(
      `static range ${outside} of ${title} is not inside its node network ${networks.join(', ')}`,
      `choose addresses inside the node network${example(networks, needed)}`,
    );
  const handedOut = (dhcp?.enabled === true ? (dhcp.ranges ?? []) : []).find((text) =>
    ranges.some((range) => overlaps(range, parseRange(text))),
  );
  return handedOut === undefined
    ? none
    : report(
        `DHCP range ${handedOut} of ${title} hands out static addresses (${staticRanges?.join(', ')})`,
        'cut the static range out of the DHCP range',
      );
});

function example(networks: readonly string[], count: number): string {
  const [network] = networks.filter((text) => !text.includes(':')).map(parseCidr);
  if (network === undefined) return '';
  const free = freeRange(network, count, [
    rangeOf({ family: 4, value: network.first }),
    rangeOf({ family: 4, value: network.last }),
  ]);
  return free === undefined ? '' : `, for example ${free}`;
}

/** VS-10. */
export const autoscalerRule: PlanRule = eachManagement(({ title, resource, path, nodes }) => {
  const { autoscaling, dhcp, staticRanges } = nodes;
  if (autoscaling === undefined || dhcp?.enabled === true || staticRanges === undefined) return none;
  const size = total(staticRanges.map(parseRange));
  const needed = controlPlaneSize(nodes) + autoscaling.max;
  if (size >= needed) return none;
  return [
    finding('CW-AUTOSCALER-STATIC', {
      resource,
      path: [...path, 'nodes', 'autoscaling', 'max'],
      message: `${title} may grow to ${autoscaling.max} workers beside its control plane, its static ranges have ${size} addresses`,
      fix: `use DHCP, enlarge nodes.staticRanges to ${needed} addresses, or lower autoscaling.max`,
    }),
  ];
});

/** INF-5, SED-1. */
export const highAvailabilityRule: PlanRule = eachManagement((m) => {
  const { title, resource, path, nodes, api } = m;
  const findings: Finding[] = [];
  const count = nodes.controlPlane?.length;
  if (count !== undefined && !m.isManaged && (count < 3 || count % 2 === 0))
    findings.push(
      finding('CW-HA', {
        resource,
        path: [...path, 'nodes', 'controlPlane'],
        message: `${title} has ${count} control-plane nodes; etcd wants an odd number, three or more`,
        fix: `list ${count < 3 ? 3 : count + 1} control-plane nodes`,
      }),
    );
  const single = nodes.controlPlane?.find((address) => isSame(address, api.host));
  if (api.loadBalancer === false || single !== undefined)
    findings.push(
      finding('CW-HA', {
        resource,
        path: [...path, 'api', single === undefined ? 'loadBalancer' : 'host'],
        message:
          single === undefined
            ? `no load balancer stands in front of the API of ${title}`
            : `the API endpoint ${api.host} of ${title} is a single control-plane node`,
        fix: `put a load balancer (TCP, port ${api.port ?? 6443}) in front of all control-plane nodes and use its name or address`,
      }),
    );
  return findings;
});

const isSame = (address: string, host: string): boolean => {
  if (address === host) return true;
  if (!host.includes(':')) return false;
  const [a, b] = [parseAddress(address), parseAddress(host)];
  return a.family === b.family && a.value === b.value;
};

/** INF-3: only when somebody wrote down that there is one zone; unknown zones are found out live. */
export const zonesRule: PlanRule = (ctx) => [
  ...managementClusters(ctx.model)
    .filter(({ nodes }) => isOneZone(nodes.zones))
    .map(({ title, resource, path, nodes }) => oneZone(title, resource, [...path, 'nodes', 'zones'], nodes.zones)),
];

const isOneZone = (zones: readonly string[] | undefined): boolean => zones !== undefined && new Set(zones).size === 1;

const oneZone = (title: string, resource: string, path: Path, zones: readonly string[] | undefined): Finding =>
  finding('CW-ZONES', {
    resource,
    path,
    message: `all nodes of ${title} stand in zone ${zones?.[0]}`,
    fix: 'spread the nodes over at least two zones, better three',
  });
