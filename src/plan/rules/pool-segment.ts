// Pools in the layer-2 segment of the nodes: not handed out by DHCP, and only addresses that ARP can find.
import { intersect, subtract } from '../../core/intervals.ts';
import { formatRange, parseCidr, parseRange } from '../../core/ip.ts';
import type { Finding } from '../../model/index.ts';
import type { AddressPool, Datacenter, Seed } from '../../model/schema/index.ts';
import { memo, type PlanCache } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import { offered, overlapOf, ownerOf, pieces, segmentOf } from './pool-space.ts';
import { type NamedRange, named, namedRanges, overlapping } from './ranges.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

/** L2-2: everything that a DHCP server is said to hand out. */
export const poolDhcpRule: PlanRule = (ctx) => {
  const handedOut = namedRanges(dhcpRanges(ctx));
  return ctx.model.pools.flatMap((pool) =>
    pieces(ctx.cache, pool).flatMap((piece) =>
      overlapping(handedOut, piece).map(({ what, text, range, resource }) => {
        const part = formatRange(overlapOf(piece, range));
        return finding('CW-POOL-DHCP', {
          resource: nameOf(pool),
          path: ['spec', 'ranges'],
          message: `${part} is handed out by the ${what} ${text}`,
          fix: `take ${part} out of the DHCP range, or add it to spec.exclude of the pool`,
          related: resource,
        });
      }),
    ),
  );
};

type WithDhcp = Pick<Datacenter['spec']['nodes'], 'dhcp'>;
const enabled = ({ dhcp }: WithDhcp): readonly string[] => (dhcp?.enabled === true ? (dhcp.ranges ?? []) : []);

const dhcpRanges = ({ cache, model: { platform, seeds, datacenters } }: PlanContext): NamedRange[] => [
  ...named('DHCP range of the master', nameOf(platform), enabled(platform.spec.master.nodes)),
  ...seeds.flatMap((seed) => ofSeed(cache, seed)),
  ...datacenters.flatMap((datacenter) => ofDatacenter(cache, datacenter)),
];
const ofSeed = memo((seed: Seed) =>
  named(`DHCP range of seed ${seed.metadata.name}`, nameOf(seed), enabled(seed.spec.nodes)),
);
const ofDatacenter = memo((datacenter: Datacenter) =>
  named(`DHCP range of datacenter ${datacenter.metadata.name}`, nameOf(datacenter), [
    ...enabled(datacenter.spec.nodes),
    ...openstackRanges(datacenter),
  ]),
);

const openstackRanges = ({ spec }: Datacenter): string[] =>
  [spec.provider.openstack?.management, ...(spec.tenants ?? []).map((tenant) => tenant.openstack)]
    .map((scope) => scope?.network.dhcpRange)
    .filter((range) => range !== undefined);

/** L2-1: inside the segment, and none of its three special addresses. */
export const poolSegmentRule: PlanRule = (ctx) =>
  ctx.model.pools.flatMap((pool) => {
    const owner = ownerOf(pool, ctx);
    const segment = owner?.spec.loadBalancer?.mode === 'L2' ? segmentOf(owner) : undefined;
    return owner === undefined || segment === undefined ? none : segmentFindings(ctx.cache, pool, owner, segment);
  });

function segmentFindings(cache: PlanCache, pool: AddressPool, owner: Seed | Datacenter, text: string): Finding[] {
  const segment = parseCidr(text);
  const report = (message: string, fix: string): Finding[] => [
    finding('CW-POOL-SEGMENT', {
      resource: nameOf(pool),
      path: ['spec', 'ranges'],
      message,
      fix,
      related: nameOf(owner),
    }),
  ];
  const own = offered(cache, pool)[segment.family];
  const [outside] = subtract(own, [segment]);
  if (outside !== undefined)
    return report(
      `${formatRange({ family: segment.family, ...outside })} is outside the segment ${text}: no ARP request ever asks for it`,
      `choose addresses inside ${text}, correct loadBalancer.segment, or announce the pool by BGP`,
    );
  return specialAddresses(owner, text).flatMap(({ what, address }) =>
    intersect(own, [parseRange(address)]).length === 0
      ? []
      : report(`${address} is the ${what} of segment ${text}`, `add ${address} to spec.exclude of the pool`),
  );
}

function specialAddresses({ spec }: Seed | Datacenter, text: string): { what: string; address: string }[] {
  const { family, first, last, prefix } = parseCidr(text);
  const at = (value: bigint): string => formatRange({ family, first: value, last: value });
  const router = spec.loadBalancer?.segmentGateway;
  const edges =
    family === 6 || prefix > 30
      ? []
      : [
          { what: 'network address', address: at(first) },
          { what: 'broadcast address', address: at(last) },
        ];
  return [...edges, ...(router === undefined ? [] : [{ what: 'router', address: router }])];
}
