// The way back: one konnectivity server per API server, and agents that dial out to it.
import { getOrAdd } from '../core/collections.ts';
import type { Platform } from '../model/schema/index.ts';
import { memo, memoInside } from './cache.ts';
import type { ClusterContext } from './context.ts';
import { endpointOf } from './endpoints.ts';
import type { KonnectivityPlan } from './schema/index.ts';

// Upstream's numbers; both sides of every pairing use them.
const ports = { agentPort: 8132, adminPort: 8133, healthPort: 8134 };

export const konnectivityOf = memoInside('konnectivity', (c: ClusterContext): KonnectivityPlan => {
  const { host, port } = endpointOf(c).konnectivity;
  const { replicas, agents, keepalive } = c.effective;
  const isOurs = c.cluster.spec.controlPlane?.external === undefined;
  return {
    server: getOrAdd(servers(c.cache, c.platform), `${replicas} ${keepalive}`, () => serverOf(replicas, keepalive)),
    agent: {
      replicas: isOurs && c.runtime.agents === 'one-per-machine' ? null : agents,
      host,
      port,
      keepalive,
      // Behind one address there may be several servers; only an agent that never stops looking finds all of them. Where
      // there is one, it would open connection after connection for nothing.
      syncForever: replicas > 1,
      viaProxy: c.effective.route === 'proxy' && c.effective.proxy !== undefined,
    },
  };
});

/** Most clusters have the same. */
const servers = memo((_: Platform) => new Map<string, KonnectivityPlan['server']>());

const serverOf = (replicas: number, keepalive: string): KonnectivityPlan['server'] => ({
  replicas,
  ...ports,
  serverCount: replicas,
  keepalive,
  tokenAudience: 'system:konnectivity-server',
  udsName: '/etc/konnectivity/konnectivity-server.socket',
});
