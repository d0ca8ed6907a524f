// Every end of a flow, with what is known about where it is.
import type { PlanContext } from '../context.ts';
import type { Place } from '../schema/index.ts';
import { controlPlanePlace, externalControlPlanes } from './control-planes.ts';
import { datacenterPlaces } from './datacenter.ts';
import { platformPlaces } from './platform.ts';
import { seedPlaces } from './seed.ts';
import { downloadPlaces, servicePlaces } from './services.ts';
import { usesOf } from './uses.ts';

export function planPlaces(ctx: PlanContext): Record<string, Place> {
  const places: Record<string, Place> = {};
  const add = (list: readonly Place[]): void => {
    for (const place of list) places[place.id] = place;
  };
  add(platformPlaces(ctx));
  add(servicePlaces(ctx));
  add(downloadPlaces(ctx));
  for (const use of usesOf(ctx).seeds) add(seedPlaces(ctx, use));
  for (const datacenter of ctx.model.datacenters) add(datacenterPlaces(ctx, datacenter));
  add(externalControlPlanes(ctx).map(controlPlanePlace));
  return places;
}
