// The way back: one konnectivity server per API server, and agents that dial out to it.
import { memoInside } from '../core/memo.ts';
import type { ClusterContext } from './context.ts';
import { endpointOf } from './endpoints.ts';
import type { KonnectivityPlan } from './schema/index.ts';

// Upstream's numbers; both sides of every pairing use them.
const ports = { agentPort: 8132, adminPort: 8133, healthPort: 8134 };

export const konnectivityOf = memoInside((c: ClusterContext): KonnectivityPlan => {
  const { host, port } = endpointOf(c).konnectivity;
  const { agents, keepalive } = c.effective;
  const replicas = c.cluster.spec.controlPlane?.managed?.replicas ?? c.effective.replicas;
  return {
    server: {
      replicas,
      ...ports,
      serverCount: replicas,
      keepalive,
      tokenAudience: 'system:konnectivity-server',
      udsName: '/etc/konnectivity/konnectivity-server.socket',
    },
    // Behind one address there are several servers; only an agent that never stops looking finds all of them.
    agent: {
      replicas: agents,
      host,
      port,
      keepalive,
      syncForever: true,
      viaProxy: c.effective.route === 'proxy' && c.effective.proxy !== undefined,
    },
  };
});
