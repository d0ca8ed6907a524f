// Ways to the internet: one per management place, and per network of workers one for each way they have.
import { getOrAdd } from '../../core/collections.ts';
import { memo, type PlanCache } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import { type Members, membersOfAll } from '../places/members.ts';
import { usesOf, type WorkerGroup, type WorkerSite } from '../places/uses.ts';
import type { Effective } from '../settings/effective.ts';
import { platformSettings, seedSettings } from '../settings/index.ts';
import type { Need } from './egress-needs.ts';
import { egressProxiesOf, type Proxies } from './proxies.ts';

export interface Lane {
  readonly place: string;
  readonly proxies: Proxies | undefined;
  /** Groups of workers that use it; none for a management place. */
  readonly groups: readonly WorkerGroup[];
  /** Their clusters, perhaps none yet. Absent: a management place. */
  readonly members: Members | undefined;
}

export function lanesOf(ctx: PlanContext): Lane[] {
  const { seeds, datacenters } = usesOf(ctx);
  const platform = platformSettings(ctx).effective;
  const hasInstaller = ctx.model.platform.spec.access?.installer !== undefined;
  return [
    managementLane(ctx.cache, id.masterNodes, platform),
    ...(hasInstaller ? [managementLane(ctx.cache, id.installer, platform)] : []),
    ...seeds.map(({ seed }) =>
      managementLane(ctx.cache, id.seedPlace(seed.metadata.name, 'nodes'), seedSettings(ctx, seed).effective),
    ),
    ...datacenters.flatMap((use) => use.sites.flatMap((site) => workerLanes(ctx.cache, site))),
  ];
}

const managementLane = (cache: PlanCache, place: string, effective: Effective): Lane => ({
  place,
  proxies: egressProxiesOf(cache, effective),
  groups: [],
  members: undefined,
});

/** Groups that differ only in how they reach their control plane share a lane. */
const workerLanes = memo(({ network: { place }, groups }: WorkerSite, cache): Lane[] => {
  const ways = new Map<string, { proxies: Proxies | undefined; groups: WorkerGroup[] }>();
  for (const group of groups) {
    const proxies = egressProxiesOf(cache, group.effective);
    const way = proxies === undefined ? 'direct' : `${proxies.secure.id} ${proxies.plain.id}`;
    getOrAdd(ways, way, () => ({ proxies, groups: [] })).groups.push(group);
  }
  return [...ways.values()].map((way) => ({
    place,
    ...way,
    members: membersOfAll(
      cache,
      way.groups.map((group) => group.members),
    ),
  }));
});

/**
 * The part of a lane that needs something of the allow-list; nothing where no part does. The allow-list names all
 * clusters of a group or none of them, so asking for one is enough.
 */
export function listedPart(ctx: PlanContext, lane: Lane, need: Need): Lane | undefined {
  if (lane.members === undefined) return need.always ? lane : { ...lane, members: servedMembers(ctx, need) };
  const { lists, always } = need;
  const isForAll = lists.some((list) => list.length === ctx.clusters.length);
  const needsIt = ({ members: [first] }: WorkerGroup): boolean =>
    first === undefined ? always : isForAll || lists.some((list) => includes(list, first));
  const groups = lane.groups.filter(needsIt);
  if (groups.length === lane.groups.length) return lane;
  return groups.length === 0
    ? undefined
    : {
        ...lane,
        groups,
        members: membersOfAll(
          ctx.cache,
          groups.map((g) => g.members),
        ),
      };
}

/** What a management place needs for clusters alone goes with them. */
const servedMembers = (ctx: PlanContext, { served }: Need): Members =>
  membersOfAll(
    ctx.cache,
    usesOf(ctx)
      .datacenters.filter((use) => served.has(use.datacenter.metadata.name))
      .map((use) => use.members),
  );

/** Binary search in a sorted list. */
function includes(list: readonly string[], name: string): boolean {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as string) < name) low = middle + 1;
    else high = middle;
  }
  return list[low] === name;
}
