// Egress paths: one per management place, and per network of workers one for each set of proxies that they use.
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

export interface EgressPath {
  readonly place: string;
  readonly proxies: Proxies | undefined;
  /** Groups of workers that use it; none for a management place. */
  readonly groups: readonly WorkerGroup[];
  /** Their clusters, perhaps none yet. Absent: a management place. */
  readonly members: Members | undefined;
}

export function egressPathsOf(ctx: PlanContext): EgressPath[] {
  const { seeds, datacenters } = usesOf(ctx);
  const platform = platformSettings(ctx).effective;
  const hasInstaller = ctx.model.platform.spec.access?.installer !== undefined;
  return [
    managementPath(ctx.cache, id.masterNodes, platform),
    ...(hasInstaller ? [managementPath(ctx.cache, id.installer, platform)] : []),
    ...seeds.map(({ seed }) =>
      managementPath(ctx.cache, id.seedPlace(seed.metadata.name, 'nodes'), seedSettings(ctx, seed).effective),
    ),
    ...datacenters.flatMap((use) => use.sites.flatMap((site) => workerPaths(ctx.cache, site))),
  ];
}

const managementPath = (cache: PlanCache, place: string, effective: Effective): EgressPath => ({
  place,
  proxies: egressProxiesOf(cache, effective),
  groups: [],
  members: undefined,
});

/** Groups that differ only in how they reach their control plane share an egress path. */
const workerPaths = memo(({ network: { place }, groups }: WorkerSite, cache): EgressPath[] => {
  const byProxies = new Map<string, { proxies: Proxies | undefined; groups: WorkerGroup[] }>();
  for (const group of groups) {
    const proxies = egressProxiesOf(cache, group.effective);
    const key = proxies === undefined ? 'direct' : `${proxies.secure.id} ${proxies.plain.id}`;
    getOrAdd(byProxies, key, () => ({ proxies, groups: [] })).groups.push(group);
  }
  return [...byProxies.values()].map((shared) => ({
    place,
    ...shared,
    members: membersOfAll(
      cache,
      shared.groups.map((group) => group.members),
    ),
  }));
});

/**
 * The part of an egress path that needs something of the allow-list; nothing where no part does. The allow-list names all
 * clusters of a group or none of them, so asking for one is enough.
 */
export function listedPart(ctx: PlanContext, path: EgressPath, need: Need): EgressPath | undefined {
  if (path.members === undefined) return need.always ? path : { ...path, members: servedMembers(ctx, need) };
  const { lists, always } = need;
  const isForAll = lists.some((list) => list.length === ctx.clusters.length);
  const needsIt = ({ members: [first] }: WorkerGroup): boolean =>
    first === undefined ? always : isForAll || lists.some((list) => includes(list, first));
  const groups = path.groups.filter(needsIt);
  if (groups.length === path.groups.length) return path;
  return groups.length === 0
    ? undefined
    : {
        ...path,
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
