// One effective proxy per place, and what bypasses it there.
import { memo } from '../../core/memo.ts';
import type { Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';
import { type ClusterContext, type PlanContext, seedDomainOf } from '../context.ts';
import type { PlaceProxy, ProxyPlan, Reachability } from '../schema/index.ts';
import type { Effective, ProxyServer } from '../settings/effective.ts';
import { datacenterSettings, platformSettings, seedSettings } from '../settings/index.ts';
import { masterHosts, privateProviderHosts, seedHosts } from './direct-hosts.ts';
import { clusterNoProxy, controlPlaneNoProxy, managementNoProxy, nodesNoProxy } from './no-proxy.ts';
import { reachabilityOf } from './reachability.ts';

type Places = Record<string, PlaceProxy>;

export function planProxy(ctx: PlanContext): ProxyPlan {
  const places: Places = {};
  const workers: Record<string, Reachability> = {};
  addManagement(places, ctx.model);
  for (const datacenter of ctx.model.datacenters) addDatacenter(places, ctx, datacenter);
  for (const c of ctx.clusters) {
    workers[c.name] = reachabilityOf(c);
    for (const [place, proxy] of clusterPlaces(c)) places[place] = proxy;
  }
  return { places, workers };
}

function addManagement(places: Places, model: Model): void {
  const { platform, seeds, datacenters } = model;
  const apis = [platform.spec.master.api.host, ...seeds.map((seed) => seed.spec.api.host)];
  add(places, 'master', platformSettings(model).effective, (effective) =>
    managementNoProxy(platform.spec.domain, effective.noProxy, platform.spec.master.nodes.networks, [
      ...apis,
      ...masterHosts(platform),
    ]),
  );
  for (const seed of seeds)
    add(places, `seed/${seed.metadata.name}/control-plane`, seedSettings(model, seed).effective, (effective) =>
      managementNoProxy(platform.spec.domain, effective.noProxy, seed.spec.nodes.networks, [
        ...apis,
        ...seedHosts(platform, seed, datacenters),
      ]),
    );
}

/** What all nodes here have in common; single clusters add their own. */
function addDatacenter(places: Places, { model, seeds, domain }: PlanContext, datacenter: Datacenter): void {
  const seed = seeds.get(datacenter.spec.seed);
  if (seed === undefined) return;
  const { effective } = datacenterSettings(model, seed, datacenter);
  add(places, `datacenter/${datacenter.metadata.name}/nodes`, effective, () =>
    nodesNoProxy(
      effective,
      [seedDomainOf(seed, domain)],
      [...datacenter.spec.nodes.networks, ...privateProviderHosts(model.platform, datacenter)],
    ),
  );
}

/** Downloads that go elsewhere must not be sent to a proxy only because one is known. */
function add(places: Places, place: string, effective: Effective, entries: (effective: Effective) => string[]): void {
  const { proxy, egressMode } = effective;
  if (proxy !== undefined && egressMode === 'proxy') places[place] = placeProxy(proxy, entries(effective));
}

const clusterPlaces = memo((c: ClusterContext): readonly (readonly [string, PlaceProxy])[] => {
  const places: Places = {};
  add(places, `cluster/${c.name}/control-plane`, effectiveOfSeed(c.platform, c.seed), (inSeed) =>
    controlPlaneNoProxy(c, seedEntries(c, inSeed)),
  );
  const nodes = proxyOfNodes(c);
  if (nodes !== undefined) places[`cluster/${c.name}/nodes`] = nodes;
  // Where only the gateway is behind the proxy, pods have no use for it: they go by the node agent.
  if (nodes !== undefined && c.effective.egressMode === 'proxy') places[`cluster/${c.name}/pods`] = nodes;
  return Object.entries(places);
});

function proxyOfNodes(c: ClusterContext): PlaceProxy | undefined {
  const { proxy, egressMode, route } = c.effective;
  if (proxy === undefined) return undefined;
  if (egressMode === 'proxy') return placeProxy(proxy, clusterNoProxy(c));
  // Downloads go elsewhere; what is left is the API server, which is https.
  const secure = { ...proxy, http: undefined, https: proxy.https ?? proxy.http };
  return route === 'proxy' ? placeProxy(secure, clusterNoProxy(c)) : undefined;
}

const seedEntries = (c: ClusterContext, inSeed: Effective): string[] =>
  managementNoProxy(c.platform.spec.domain, inSeed.noProxy, c.seed.spec.nodes.networks, [
    c.seed.spec.api.host,
    ...seedHosts(c.platform, c.seed, [c.datacenter]),
  ]);

const effectiveOfSeed = (platform: Platform, seed: Seed): Effective => seedSettings({ platform }, seed).effective;

function placeProxy(proxy: ProxyServer, noProxy: string[]): PlaceProxy {
  const { http, https, credentials, trustBundle, from } = proxy;
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(trustBundle === undefined ? {} : { trustBundle }),
    noProxy,
    from,
  };
}
