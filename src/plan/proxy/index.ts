// One effective proxy per place, and what bypasses it there.
import type { Platform } from '../../model/schema/index.ts';
import { memoLast } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import { listPerCluster, perCluster } from '../per-cluster.ts';
import type { ProxyPlan } from '../schema/index.ts';
import { clusterPlaces, type Places, sitePlaces } from './places.ts';
import { reachabilityOf } from './reachability.ts';

export const planProxy = (ctx: PlanContext): ProxyPlan => ({ places: planPlaces(ctx), workers: planWorkers(ctx) });

const planWorkers = perCluster(reachabilityOf);
const ofClusters = listPerCluster(clusterPlaces);
const lastPlaces = memoLast<Platform, Places>();

function planPlaces(ctx: PlanContext): Places {
  const { platform, seeds, datacenters } = ctx.model;
  const parts = ofClusters(ctx);
  return lastPlaces(ctx.cache, platform, [parts, ...seeds, ...datacenters], () => {
    const places = sitePlaces(ctx);
    for (const part of parts) for (const { place, proxy } of part) places[place] = proxy;
    return places;
  });
}
