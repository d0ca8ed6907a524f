// Proxies of the master, of seeds, and of what all nodes of a datacenter have in common.
import type { Datacenter } from '../../model/schema/index.ts';
import { type PlanContext, seedDomainOf } from '../context.ts';
import * as id from '../places/ids.ts';
import type { Effective } from '../settings/effective.ts';
import { datacenterSettings, platformSettings, seedSettings } from '../settings/index.ts';
import { masterHosts, privateProviderHosts, seedHosts } from './direct-hosts.ts';
import { managementNoProxy, nodesNoProxy } from './no-proxy.ts';
import { downloadProxyOf, type Places, placeProxy } from './place.ts';

export function sitePlaces(ctx: PlanContext): Places {
  const places: Places = {};
  addManagement(places, ctx);
  for (const datacenter of ctx.model.datacenters) addDatacenter(places, ctx, datacenter);
  return places;
}

function addManagement(places: Places, ctx: PlanContext): void {
  const { cache, domain } = ctx;
  const { platform, seeds, datacenters } = ctx.model;
  const apis = [platform.spec.master.api.host, ...seeds.map((seed) => seed.spec.api.host)];
  add(places, id.master, platformSettings(ctx).effective, ({ noProxy }) => {
    const hosts = [...apis, ...masterHosts(platform)];
    return managementNoProxy(domain, noProxy, platform.spec.master.nodes, hosts);
  });
  for (const seed of seeds)
    add(places, id.seedPlace(seed.metadata.name, 'control-plane'), seedSettings(ctx, seed).effective, ({ noProxy }) => {
      const hosts = [...apis, ...seedHosts(cache, platform, seed, datacenters)];
      return managementNoProxy(domain, noProxy, seed.spec.nodes, hosts);
    });
}

/** Single clusters add their own endpoint. */
function addDatacenter(places: Places, ctx: PlanContext, datacenter: Datacenter): void {
  const { cache, model, seeds, domain } = ctx;
  const seed = seeds.get(datacenter.spec.seed);
  if (seed === undefined) return;
  add(
    places,
    id.datacenterPlace(datacenter.metadata.name, 'nodes'),
    datacenterSettings(ctx, seed, datacenter).effective,
    (effective) =>
      nodesNoProxy(
        cache,
        effective,
        [seedDomainOf(seed, domain)],
        [datacenter.spec.nodes.networks, privateProviderHosts(cache, model.platform, datacenter)],
      ),
  );
}

function add(places: Places, place: string, effective: Effective, entries: (effective: Effective) => string[]): void {
  const proxy = downloadProxyOf(effective);
  if (proxy !== undefined) places[place] = placeProxy(proxy, entries(effective));
}
