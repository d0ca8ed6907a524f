// Address pools are large enough for everybody who draws from them.

import { type IpRange, parseCidr, parseRange } from '../../core/ip.ts';
import type { Finding } from '../../model/index.ts';
import type { AddressPool } from '../../model/schema/index.ts';
import { clusterOfUser, loadBalancerPools } from '../addresses/index.ts';
import type { PlanContext } from '../context.ts';
import type { PoolPlan } from '../schema/index.ts';
import { freeRange, smallestPrefix } from './free-space.ts';
import { furtherClusters } from './node-ports.ts';
import { ownerOf, pieces, segmentOf } from './pool-space.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

/** XPS-3, L2-1, VS-6, VS-7. */
export const poolCapacityRule: PlanRule = (ctx, plan) => {
  const chosen = loadBalancerPools(ctx.model);
  const byName = new Map(ctx.model.pools.map((pool) => [pool.metadata.name, pool]));
  return plan.addresses.pools.flatMap((planned) => {
    const pool = byName.get(planned.pool);
    if (pool === undefined) return none;
    const seed = ctx.seeds.get(pool.spec.seed ?? '');
    const further =
      seed !== undefined && chosen.get(seed.metadata.name) === planned.pool
        ? furtherClusters(ctx, seed, ['LoadBalancer'])
        : 0;
    const needed = planned.needed + further * (pool.spec.allocation?.count ?? 1);
    return needed <= planned.capacity ? none : [tooSmall(ctx, pool, planned, needed)];
  });
};

/** One length stands for networks of one family: a /28 of IPv4 has 16 addresses, a /28 of IPv6 is a whole provider. */
export const poolFamilyRule: PlanRule = ({ model }) =>
  model.pools.flatMap((pool) => {
    const { prefix } = pool.spec.allocation ?? {};
    const families = new Set(pool.spec.ranges.map((text) => parseRange(text).family));
    if (prefix === undefined || families.size < 2) return none;
    return [
      finding('CW-POOL-FAMILY', {
        resource: nameOf(pool),
        path: ['spec', 'allocation', 'prefix'],
        message: `the pool has addresses of IPv4 and IPv6, and one length (/${prefix}) cannot serve both`,
        fix: 'make one pool per family, each with its own prefix',
      }),
    ];
  });

function tooSmall(ctx: PlanContext, pool: AddressPool, planned: PoolPlan, needed: number): Finding {
  const { prefix } = pool.spec.allocation ?? {};
  const noun = prefix === undefined ? 'addresses' : `networks of /${prefix}`;
  const missing = needed - planned.capacity;
  return finding('CW-POOL-CAPACITY', {
    resource: nameOf(pool),
    path: ['spec', 'ranges'],
    message: `pool has ${planned.capacity} ${noun}, ${needed} are needed${reasons(planned, needed)}`,
    fix: `add ${missing} ${noun} to spec.ranges${prefix === undefined ? example(ctx, pool, needed, missing) : ''}${
      pool.spec.seed === undefined ? '' : ', or use Tunneling so that all clusters share one address'
    }`,
    ...(planned.owner === '' ? {} : { related: planned.owner }),
  });
}

function reasons({ needs }: PoolPlan, needed: number): string {
  const platform = needs.filter((need) => clusterOfUser(need.for) === undefined).map((need) => need.for);
  const clusters = needs.length - platform.length;
  const written = needs.reduce((sum, need) => sum + need.count, 0);
  const parts = [
    ...platform,
    ...(clusters === 0 ? [] : [`${clusters} cluster${clusters === 1 ? '' : 's'}`]),
    ...(needed > written ? [`${needed - written} more that are planned`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** In L2 mode free addresses of the segment can be named; elsewhere only a size. */
function example(ctx: PlanContext, pool: AddressPool, needed: number, missing: number): string {
  const owner = ownerOf(pool, ctx);
  const segment = owner?.spec.loadBalancer?.mode === 'L2' ? segmentOf(owner) : undefined;
  if (segment === undefined) return ` (a /${smallestPrefix(needed)} is enough for all)`;
  const within = parseCidr(segment);
  const edges = [within.first, within.last].map((value) => ({ family: within.family, first: value, last: value }));
  const free = freeRange(within, missing, [...edges, ...pieces(ctx.cache, pool), ...inUse(ctx)]);
  return free === undefined ? ` (segment ${segment} has no room left)` : `, for example ${free}`;
}

const inUse = ({ cache, model: { seeds, datacenters, pools } }: PlanContext): IpRange[] => [
  ...pools.flatMap((pool) => pieces(cache, pool)),
  ...[...seeds, ...datacenters].flatMap(({ spec }) => [
    ...(spec.nodes.dhcp?.ranges ?? []).map(parseRange),
    ...(spec.loadBalancer?.segmentGateway === undefined ? [] : [parseRange(spec.loadBalancer.segmentGateway)]),
  ]),
  ...seeds.flatMap(({ spec }) =>
    [...(spec.nodes.staticRanges ?? []), ...(spec.nodes.controlPlane ?? [])].map(parseRange),
  ),
];
