// Ways to the internet: one per management place, and per datacenter one for each way its workers have.
import { getOrAdd } from '../../core/get-or-add.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import { type DatacenterUse, usesOf } from '../places/groups.ts';
import * as id from '../places/ids.ts';
import type { Effective } from '../settings/effective.ts';
import { platformSettings, seedSettings } from '../settings/index.ts';
import { union } from './flow-list.ts';
import { egressProxiesOf, type Proxies } from './proxies.ts';

export interface Lane {
  readonly index: number;
  readonly place: string;
  readonly proxies: Proxies | undefined;
  /** Clusters whose workers use it. None: a management place, or a datacenter before its first cluster. */
  readonly clusters: readonly string[];
}

export interface Lanes {
  readonly all: readonly Lane[];
  readonly at: (place: string) => readonly Lane[];
  /** Clusters of the lane that are on one of the lists; nothing where the lane has clusters but none is listed. */
  readonly needing: (lane: Lane, lists: ReadonlySet<readonly string[]>) => readonly string[] | undefined;
}

interface Open {
  readonly all: Lane[];
  readonly byPlace: Map<string, Lane[]>;
  /** Lane of each group of workers. */
  readonly ofGroup: number[];
}

export function lanesOf(ctx: PlanContext): Lanes {
  const open: Open = { all: [], byPlace: new Map(), ofGroup: [] };
  const { seeds, datacenters } = usesOf(ctx);
  const platform = platformSettings(ctx.model).effective;
  addLane(open, id.masterNodes, platform);
  if (ctx.model.platform.spec.access?.installer !== undefined) addLane(open, id.installer, platform);
  for (const { seed } of seeds)
    addLane(open, id.seedPlace(seed.metadata.name, 'nodes'), seedSettings(ctx.model, seed).effective);
  for (const use of datacenters) addWorkers(open, use);
  return {
    all: open.all,
    at: (place) => open.byPlace.get(place) ?? [],
    needing: needing(ctx, open),
  };
}

function addLane(open: Open, place: string, effective: Effective, clusters: readonly string[] = []): Lane {
  const lane = { index: open.all.length, place, proxies: egressProxiesOf(effective), clusters };
  open.all.push(lane);
  getOrAdd(open.byPlace, place, () => []).push(lane);
  return lane;
}

/** Groups that differ only in how they reach their control plane share a lane. */
function addWorkers(open: Open, { datacenter, groups }: DatacenterUse): void {
  const place = id.datacenterPlace(datacenter.metadata.name, 'workers');
  const ways = new Map<string, typeof groups>();
  for (const group of groups) {
    const key = wayOf(group.effective);
    ways.set(key, [...(ways.get(key) ?? []), group]);
  }
  for (const alike of ways.values()) {
    const clusters = alike.map((group) => group.clusters).reduce(union);
    const lane = addLane(open, place, (alike[0] as (typeof groups)[number]).effective, clusters);
    for (const group of alike) open.ofGroup[group.index] = lane.index;
  }
}

function wayOf(effective: Effective): string {
  const proxies = egressProxiesOf(effective);
  return proxies === undefined ? 'direct' : `${proxies.secure.id} ${proxies.plain.id}`;
}

function needing(ctx: PlanContext, { all, ofGroup }: Open): Lanes['needing'] {
  const known = new Map<readonly string[], readonly (readonly string[])[]>();
  const everyone = all.map((lane) => lane.clusters);
  const split = (list: readonly string[]): readonly (readonly string[])[] =>
    list.length === ctx.clusters.length ? everyone : getOrAdd(known, list, () => splitList(ctx, ofGroup, list));
  return (lane, lists) => {
    if (lane.clusters.length === 0) return [];
    const parts = [...lists].flatMap((list) => [split(list)[lane.index] ?? []]);
    const clusters = parts.reduce(union);
    return clusters.length === 0 ? undefined : clusters;
  };
}

/** Both the list and the clusters are sorted, so one walk over both will do. */
function splitList(ctx: PlanContext, ofGroup: readonly number[], list: readonly string[]): string[][] {
  const { groupOf } = usesOf(ctx);
  const parts: string[][] = [];
  let next = 0;
  for (let i = 0; i < ctx.clusters.length && next < list.length; i++) {
    const { name } = ctx.clusters[i] as ClusterContext;
    if (name !== list[next]) continue;
    next++;
    const lane = ofGroup[groupOf[i] as number] as number;
    const part = parts[lane];
    if (part === undefined) parts[lane] = [name];
    else part.push(name);
  }
  return parts;
}
