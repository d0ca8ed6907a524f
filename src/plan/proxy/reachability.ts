// For each program on a worker: does it reach its control plane directly, by proxy variables, or through the node agent?
import { getOrAdd } from '../../core/collections.ts';
import type { Seed } from '../../model/schema/index.ts';
import { memo, memoInside } from '../cache.ts';
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
    ...(endpoint.tunnel === undefined ? {} : { nodeAgent: shared(c, nodeAgentWay(endpoint.tunnel, proxied)) }),
    pods: shared(c, podsWay(endpoint, proxied)),
  };
});

/** Ways of different clusters of a seed are often one: to its tunnel, to the same agent address. */
function shared(c: ClusterContext, way: Way): Way {
  return c.effective.exposeStrategy === 'Tunneling'
    ? getOrAdd(knownWays(c.cache, c.seed), `${way.by} ${way.target}`, () => way)
    : way;
}
const knownWays = memo((_: Seed) => new Map<string, Way>());

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

/** Nothing to dial yet. */
export const pendingTarget = 'pending';
const shown = (host: string | null, port: number | null): string =>
  host === null || port === null ? pendingTarget : hostPort(host, port);
