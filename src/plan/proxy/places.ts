// The proxy of each place: master, seeds, the nodes of a datacenter, and the three places of a cluster.
import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import { memoAll, memoInside } from '../cache.ts';
import { type ClusterContext, type PlanContext, seedDomainOf } from '../context.ts';
import * as id from '../places/ids.ts';
import type { PlaceProxy } from '../schema/index.ts';
import type { Effective, ProxyServer } from '../settings/effective.ts';
import { datacenterSettings, platformSettings, seedSettings } from '../settings/index.ts';
import { masterHosts, privateProviderHosts, seedHosts } from './direct-hosts.ts';
import { clusterNoProxy, controlPlaneNoProxy, managementNoProxy, nodesNoProxy } from './no-proxy.ts';

export type Places = Record<string, PlaceProxy>;

/** Downloads that go elsewhere must not be sent to a proxy only because one is known. */
const downloadProxyOf = ({ proxy, egressMode }: Effective): ProxyServer | undefined =>
  egressMode === 'proxy' ? proxy : undefined;

function placeProxy(proxy: ProxyServer, noProxy: string[]): PlaceProxy {
  const { http, https, credentials, trustBundle, from } = proxy;
  // Filled field by field: objects that are spread together take twice the memory, and every cluster has two.
  const place: Partial<PlaceProxy> = {};
  if (http !== undefined) place.http = http;
  if (https !== undefined) place.https = https;
  if (credentials !== undefined) place.credentials = credentials;
  if (trustBundle !== undefined) place.trustBundle = trustBundle;
  place.noProxy = noProxy;
  place.from = from;
  return place as PlaceProxy;
}

// The master, seeds, and what all nodes of a datacenter have in common.

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

// One cluster: its control plane is in the seed, its nodes and pods in the datacenter.

interface Placed {
  readonly place: string;
  readonly proxy: PlaceProxy;
}

export const clusterPlaces = memoInside('proxies', (c: ClusterContext): readonly Placed[] => {
  const controlPlane = proxyOfControlPlane(c);
  const nodes = proxyOfNodes(c);
  // Where only the gateway is behind the proxy, pods have no use for it: they go by the node agent.
  const pods = downloadProxyOf(c.effective) === undefined ? undefined : nodes;
  const places: Placed[] = [];
  if (controlPlane !== undefined) places.push({ place: id.clusterPlace(c.name, 'control-plane'), proxy: controlPlane });
  if (nodes !== undefined) places.push({ place: id.clusterPlace(c.name, 'nodes'), proxy: nodes });
  if (pods !== undefined) places.push({ place: id.clusterPlace(c.name, 'pods'), proxy: pods });
  return places;
});

function proxyOfNodes(c: ClusterContext): PlaceProxy | undefined {
  const { proxy, route } = c.effective;
  const forDownloads = downloadProxyOf(c.effective);
  if (forDownloads !== undefined) return placeProxy(forDownloads, clusterNoProxy(c));
  if (proxy === undefined || route !== 'proxy') return undefined;
  // Downloads go elsewhere; what is left is the API server, which is https.
  return placeProxy({ ...proxy, http: undefined, https: proxy.https ?? proxy.http }, clusterNoProxy(c));
}

function proxyOfControlPlane(c: ClusterContext): PlaceProxy | undefined {
  const { proxy, entries } = inSeed(c.cache, c.platform, c.seed, c.datacenter);
  return proxy === undefined ? undefined : placeProxy(proxy, controlPlaneNoProxy(c, entries));
}

/** The same for all clusters of a datacenter. */
const inSeed = memoAll((cache, platform: Platform, seed: Seed, datacenter: Datacenter) => {
  const { effective } = seedSettings({ cache, model: { platform } }, seed);
  const hosts = [seed.spec.api.host, ...seedHosts(cache, platform, seed, [datacenter])];
  return {
    proxy: downloadProxyOf(effective),
    entries: managementNoProxy(platform.spec.domain, effective.noProxy, seed.spec.nodes, hosts),
  };
});
