// Ways to the internet: one per management place, and per datacenter one for each way its workers have.
import { getOrAdd } from '../../core/get-or-add.ts';
import { memo } from '../../core/memo.ts';
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import { type Members, membersOfAll } from '../places/members.ts';
import { type DatacenterUse, usesOf, type WorkerGroup } from '../places/uses.ts';
import type { Effective } from '../settings/effective.ts';
import { platformSettings, seedSettings } from '../settings/index.ts';
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
  const platform = platformSettings(ctx.model).effective;
  const hasInstaller = ctx.model.platform.spec.access?.installer !== undefined;
  return [
    managementLane(id.masterNodes, platform),
    ...(hasInstaller ? [managementLane(id.installer, platform)] : []),
    ...seeds.map(({ seed }) =>
      managementLane(id.seedPlace(seed.metadata.name, 'nodes'), seedSettings(ctx.model, seed).effective),
    ),
    ...datacenters.flatMap(workerLanes),
  ];
}

const managementLane = (place: string, effective: Effective): Lane => ({
  place,
  proxies: egressProxiesOf(effective),
  groups: [],
  members: undefined,
});

/** Groups that differ only in how they reach their control plane share a lane. */
const workerLanes = memo(({ datacenter, groups }: DatacenterUse): Lane[] => {
  const place = id.datacenterPlace(datacenter.metadata.name, 'workers');
  const ways = new Map<string, { proxies: Proxies | undefined; groups: WorkerGroup[] }>();
  for (const group of groups) {
    const proxies = egressProxiesOf(group.effective);
    const way = proxies === undefined ? 'direct' : `${proxies.secure.id} ${proxies.plain.id}`;
    getOrAdd(ways, way, () => ({ proxies, groups: [] })).groups.push(group);
  }
  return [...ways.values()].map((way) => ({
    place,
    ...way,
    members: membersOfAll(way.groups.map((group) => group.members)),
  }));
});

/**
 * The part of a lane whose clusters are on one of the lists of the allow-list; nothing where none is. The allow-list
 * names all clusters of a group or none of them, so asking for one is enough.
 */
export function listedPart(ctx: PlanContext, lane: Lane, lists: readonly Members[]): Lane | undefined {
  const isWhole = lane.members === undefined || lane.members.length === 0;
  if (isWhole || lists.some((list) => list.length === ctx.clusters.length)) return lane;
  const groups = lane.groups.filter(({ members }) => lists.some((list) => includes(list, members[0] as string)));
  if (groups.length === lane.groups.length) return lane;
  return groups.length === 0 ? undefined : { ...lane, groups, members: membersOfAll(groups.map((g) => g.members)) };
}

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
