// One cluster as the gateway sees it: how it is recognised, where it is, who may come.
import { isIP } from 'node:net';
import { type ClusterContext, workerNetworksOf } from '../context.ts';
import { remoteOfUrl } from '../places/remote.ts';
import type { GatewayCluster } from '../schema/index.ts';

type Route = GatewayCluster['apiServer'];

export function gatewayClusterOf(c: ClusterContext): GatewayCluster {
  const { maxConnections, connectionsPerSecond, idleTimeout, halfClosedTimeout } = c.effective;
  const allowedSourceRanges = sourceRangesOf(c);
  return {
    apiServer: routeOf(c, 'apiServer'),
    konnectivity: routeOf(c, 'konnectivity'),
    ...(allowedSourceRanges === undefined ? {} : { allowedSourceRanges }),
    maxConnections,
    connectionsPerSecond,
    idleTimeout,
    halfClosedTimeout,
  };
}

function routeOf(c: ClusterContext, service: 'apiServer' | 'konnectivity'): Route {
  const backends = backendsOf(c, service);
  const nodePort = c.nodePorts?.[service];
  switch (c.effective.exposeStrategy) {
    case 'Tunneling':
      return service === 'apiServer'
        ? { sni: c.hostName, authority: c.services.apiServer, backends }
        : { sni: c.konnectivityName, backends };
    case 'NodePort':
      return { ...(nodePort === undefined ? {} : { nodePort }), backends };
    case 'LoadBalancer':
      return { addresses: [...c.ownAddresses], ...(nodePort === undefined ? {} : { port: nodePort }), backends };
  }
}

/** host:port of the servers behind the gateway. */
export function backendsOf(c: ClusterContext, service: 'apiServer' | 'konnectivity'): string[] {
  const external = c.cluster.spec.controlPlane?.external;
  if (external !== undefined) return external[service];
  return [c.services[service]];
}

/**
 * Whoever restricts access must not lock out the platform or the cluster's own workers, so these are always in.
 * Workers that come through a proxy are seen with its address.
 */
function sourceRangesOf(c: ClusterContext): string[] | undefined {
  if (c.effective.allowedSourceRanges === undefined) return undefined;
  const platform = [...c.platform.spec.master.nodes.networks, ...c.seed.spec.nodes.networks];
  const proxy = c.effective.route === 'proxy' ? proxyAddress(c) : [];
  return [...new Set([...c.effective.allowedSourceRanges, ...workerNetworksOf(c), ...platform, ...proxy])];
}

function proxyAddress(c: ClusterContext): string[] {
  const host = remoteOfUrl(c.effective.proxy?.https ?? c.effective.proxy?.http ?? '')?.host ?? '';
  const family = isIP(host);
  return family === 0 ? [] : [`${host}/${family === 4 ? 32 : 128}`];
}
