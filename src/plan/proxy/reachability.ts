// For each program on a worker: does it reach its control plane directly, by proxy variables, or through the node agent?
import { memoInside } from '../cache.ts';
import type { ClusterContext } from '../context.ts';
import { endpointOf, hostPort } from '../endpoints.ts';
import type { Endpoint, Reachability } from '../schema/index.ts';

type Way = Reachability['kubelet'];

export const reachabilityOf = memoInside('reachability', (c: ClusterContext): Reachability => {
  const endpoint = endpointOf(c);
  const proxied = c.effective.route === 'proxy' && c.effective.proxy !== undefined;
  const dialer = (program: string, target: Endpoint['apiServer']): Way => ({
    by: proxied ? 'proxy-environment' : 'direct',
    target: shown(target.host, target.port),
    reason: proxied
      ? `${program} honours HTTPS_PROXY, and the proxy is the only way to the gateway`
      : 'the worker network reaches the gateway',
  });
  return {
    kubelet: dialer('the kubelet', endpoint.apiServer),
    konnectivityAgent: dialer('the konnectivity agent', endpoint.konnectivity),
    ...(endpoint.tunnel === undefined ? {} : { nodeAgent: nodeAgentWay(endpoint.tunnel, proxied) }),
    pods: podsWay(endpoint, proxied),
  };
});

const nodeAgentWay = (tunnel: NonNullable<Endpoint['tunnel']>, proxied: boolean): Way => ({
  by: proxied ? 'proxy-option' : 'direct',
  target: shown(tunnel.host, tunnel.port),
  reason: proxied ? 'the node agent opens its tunnel through the proxy' : 'the worker network reaches the gateway',
});

/** Pods dial the service address. No proxy variable applies to it: it is exempt, as every address inside the cluster. */
function podsWay({ tunnel, kubernetesService: { addresses, port } }: Endpoint, proxied: boolean): Way {
  const target = shown(addresses[0] ?? null, port);
  if (tunnel !== undefined)
    return { by: 'node-agent', target, reason: 'the service address leads to the node agent, which knows the cluster' };
  const reason = 'the service address leads straight to the published address';
  return { by: 'direct', target, reason: proxied ? `${reason}, where only the proxy gets through` : reason };
}

const shown = (host: string | null, port: number | null): string =>
  host === null || port === null ? 'pending' : hostPort(host, port);
