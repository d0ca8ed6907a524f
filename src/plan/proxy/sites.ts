// Proxies of the master, of seeds, and of what all nodes of a datacenter have in common.
import type { Datacenter } from '../../model/schema/index.ts';
import { type PlanContext, seedDomainOf } from '../context.ts';
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

function addManagement(places: Places, { model, domain }: PlanContext): void {
  const { platform, seeds, datacenters } = model;
  const apis = [platform.spec.master.api.host, ...seeds.map((seed) => seed.spec.api.host)];
  add(places, 'master', platformSettings(model).effective, ({ noProxy }) => {
    const hosts = [...apis, ...masterHosts(platform)];
    return managementNoProxy(domain, noProxy, platform.spec.master.nodes, hosts);
  });
  for (const seed of seeds)
    add(places, `seed/${seed.metadata.name}/control-plane`, seedSettings(model, seed).effective, ({ noProxy }) => {
      const hosts = [...apis, ...seedHosts(platform, seed, datacenters)];
      return managementNoProxy(domain, noProxy, seed.spec.nodes, hosts);
    });
}

/** Single clusters add their own endpoint. */
function addDatacenter(places: Places, { model, seeds, domain }: PlanContext, datacenter: Datacenter): void {
  const seed = seeds.get(datacenter.spec.seed);
  if (seed === undefined) return;
  add(
    places,
    `datacenter/${datacenter.metadata.name}/nodes`,
    datacenterSettings(model, seed, datacenter).effective,
    (effective) =>
      nodesNoProxy(
        effective,
        [seedDomainOf(seed, domain)],
        [datacenter.spec.nodes.networks, privateProviderHosts(model.platform, datacenter)],
      ),
  );
}

function add(places: Places, place: string, effective: Effective, entries: (effective: Effective) => string[]): void {
  const proxy = downloadProxyOf(effective);
  if (proxy !== undefined) places[place] = placeProxy(proxy, entries(effective));
}
