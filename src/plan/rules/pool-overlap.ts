// Every address of a pool has one owner: no other pool, and no machine.
import { intervalSet, subtract } from '../../core/intervals.ts';
import { formatRange, type IpRange, overlaps, parseCidr } from '../../core/ip.ts';
import type { Finding } from '../../model/index.ts';
import type { AddressPool, Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import { memo } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import { overlapOf, ownerOf, pieces, segmentOf } from './pool-space.ts';
import { type NamedRange, named, namedRanges, naming, overlapping } from './ranges.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

interface Piece {
  readonly pool: AddressPool;
  readonly range: IpRange;
}

/** VS-5: pools against each other, in one sweep. */
export const poolOverlapRule: PlanRule = ({ cache, model }) => {
  const sorted = model.pools
    .flatMap((pool): Piece[] => pieces(cache, pool).map((range) => ({ pool, range })))
    .sort((a, b) => a.range.family - b.range.family || (a.range.first < b.range.first ? -1 : 1));
  const findings: Finding[] = [];
  let widest: Piece | undefined;
  for (const next of sorted) {
    if (widest !== undefined && widest.pool !== next.pool && overlaps(widest.range, next.range))
      findings.push(shared(widest, next));
    if (widest === undefined || widest.range.family !== next.range.family || next.range.last > widest.range.last)
      widest = next;
  }
  return findings;
};

function shared(first: Piece, second: Piece): Finding {
  const last = first.range.last < second.range.last ? first.range.last : second.range.last;
  const part = formatRange({ ...second.range, last });
  return finding('CW-POOL-OVERLAP', {
    resource: nameOf(second.pool),
    path: ['spec', 'ranges'],
    message: `${part} belongs to pool ${first.pool.metadata.name} too: both would hand it out`,
    fix: `add ${part} to spec.exclude of one of the two pools`,
    related: nameOf(first.pool),
  });
}

/** VS-5: virtual IPs are not addresses of machines, unless they live in the layer-2 segment of the nodes. */
export const poolNodeOverlapRule: PlanRule = (ctx) => {
  const nodes = namedRanges(nodeNetworks(ctx));
  return ctx.model.pools.flatMap((pool) => {
    const owner = ownerOf(pool, ctx);
    const allowed = owner === undefined || owner.spec.loadBalancer?.mode === 'BGP' ? [] : allowedIn(owner);
    return pieces(ctx.cache, pool).flatMap((piece) => {
      const hit = overlapping(nodes, piece).filter(({ range }) => !isInside(overlapOf(piece, range), allowed));
      return hit.length === 0 ? none : [onMachines(pool, piece, hit)];
    });
  });
};

const nodeNetworks = ({ cache, model: { platform, seeds, datacenters } }: PlanContext): NamedRange[] => [
  ...ofPlatform(cache, platform),
  ...seeds.flatMap((seed) => ofSeed(cache, seed)),
  ...datacenters.flatMap((datacenter) => ofDatacenter(cache, datacenter)),
];
const ofPlatform = memo((platform: Platform) =>
  named('node network of the master', nameOf(platform), platform.spec.master.nodes.networks),
);
const ofSeed = memo((seed: Seed) =>
  named(`node network of seed ${seed.metadata.name}`, nameOf(seed), seed.spec.nodes.networks),
);
const ofDatacenter = memo((datacenter: Datacenter) => {
  const { nodes, tenants = [] } = datacenter.spec;
  const own = [...nodes.networks, ...tenants.flatMap((tenant) => tenant.networks)];
  return named(`node network of datacenter ${datacenter.metadata.name}`, nameOf(datacenter), own);
});

const allowedIn = (owner: Seed | Datacenter): IpRange[] =>
  [...owner.spec.nodes.networks, ...(segmentOf(owner) === undefined ? [] : [segmentOf(owner) as string])].map(
    parseCidr,
  );

const isInside = (part: IpRange, allowed: readonly IpRange[]): boolean =>
  subtract([part], intervalSet(allowed.filter((range) => range.family === part.family))).length === 0;

const onMachines = (pool: AddressPool, piece: IpRange, hit: readonly NamedRange[]): Finding =>
  finding('CW-POOL-OVERLAP', {
    resource: nameOf(pool),
    path: ['spec', 'ranges'],
    message: `${formatRange(piece)} overlaps ${naming(hit)}: a virtual IP would be the address of a machine`,
    fix: 'choose a range that is routed to the nodes but not used for machines, or announce it by L2 in the segment of its owner',
    ...(hit[0] === undefined ? {} : { related: hit[0].resource }),
  });
