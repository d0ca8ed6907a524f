// Proxies of one cluster: its control plane stands in the seed, its nodes and pods in the datacenter.

import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import { memoAll, memoInside } from '../cache.ts';
import type { ClusterContext } from '../context.ts';
import { clusterPlace } from '../places/ids.ts';
import type { PlaceProxy } from '../schema/index.ts';
import { seedSettings } from '../settings/index.ts';
import { seedHosts } from './direct-hosts.ts';
import { clusterNoProxy, controlPlaneNoProxy, managementNoProxy } from './no-proxy.ts';
import { downloadProxyOf, placeProxy } from './place.ts';

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
  if (controlPlane !== undefined) places.push({ place: clusterPlace(c.name, 'control-plane'), proxy: controlPlane });
  if (nodes !== undefined) places.push({ place: clusterPlace(c.name, 'nodes'), proxy: nodes });
  if (pods !== undefined) places.push({ place: clusterPlace(c.name, 'pods'), proxy: pods });
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
