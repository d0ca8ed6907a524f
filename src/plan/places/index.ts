// Every end of a flow, with what is known about where it is.

import type { Datacenter } from '../../model/schema/index.ts';
import type { PlanContext } from '../context.ts';
import type { Place } from '../schema/index.ts';
import { controlPlanePlace, externalControlPlanes } from './control-planes.ts';
import { datacenterPlace } from './ids.ts';
import { loadBalancerPlaces } from './load-balancer.ts';
import { placeOf } from './place.ts';
import { platformPlaces } from './platform.ts';
import { providerApiOf } from './provider-api.ts';
import { seedPlaces } from './seed.ts';
import { downloadPlaces, servicePlaces } from './services.ts';
import { usesOf } from './uses.ts';
import { siteResolversIn, workerNetworksIn } from './worker-networks.ts';

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

/** A datacenter: its workers, whom they ask for names, the interface that machines are made with, and what balances load there. */
function datacenterPlaces(ctx: PlanContext, datacenter: Datacenter): Place[] {
  const { spec } = datacenter;
  const name = datacenter.metadata.name;
  const at = (part: Parameters<typeof datacenterPlace>[1]): string => datacenterPlace(name, part);
  const api = providerApiOf(ctx, datacenter);
  return [
    ...workerNetworksIn(datacenter).map(({ place, title, networks }) => placeOf(place, title, { networks })),
    ...siteResolversIn(datacenter).map(({ place, title, servers }) => placeOf(place, title, { networks: servers })),
    ...(api === undefined
      ? []
      : [placeOf(at('provider-api'), `${api.title} of datacenter ${name}`, { hosts: api.hosts })]),
    ...loadBalancerPlaces(`datacenter ${name}`, spec.loadBalancer, { routers: at('routers'), kubelb: at('kubelb') }),
  ];
}
