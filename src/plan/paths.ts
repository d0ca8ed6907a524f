// Who connects to whom on behalf of one cluster, and on exactly which ports. A flow is what a firewall opens for many
// clusters (a whole range of node ports); this is the part of it that one cluster uses.
import { getOrAdd } from '../core/collections.ts';
import type { Seed } from '../model/schema/index.ts';
import { memo, memoInside } from './cache.ts';
import type { ClusterContext } from './context.ts';
import { egressSourceOf } from './egress/sources.ts';
import { endpointOf } from './endpoints.ts';
import { externalRow } from './flows/control-planes.ts';
import { entryOf, exposingRows } from './flows/exposing.ts';
import { gatewayProxyOf, proxyRow } from './flows/proxies.ts';
import { backendsOf } from './gateway/cluster.ts';
import * as id from './places/ids.ts';
import { unique } from './places/place.ts';
import { remoteOfEndpoint } from './places/remote.ts';
import { servicePort, userPortOf } from './ports.ts';
import type { Path } from './schema/index.ts';

type Connection = Path['users'];

export const pathOf = memoInside('path', (c: ClusterContext): Path => {
  const { exposeStrategy, entry } = c.effective;
  // Behind the tunnel no port is a cluster's own: those that stand in the same place have the same path.
  if (exposeStrategy !== 'Tunneling' || c.cluster.spec.controlPlane?.external !== undefined) return newPath(c);
  const key = [egressSourceOf(c).place, entry, gatewayProxyOf(c.cache, c.effective)?.id].join(' ');
  return getOrAdd(tunnelPaths(c.cache, c.seed), key, () => newPath(c));
});
const tunnelPaths = memo((_: Seed) => new Map<string, Path>());

function newPath(c: ClusterContext): Path {
  const { exposeStrategy: strategy } = c.effective;
  const to = entryOf(c.seed, strategy);
  const proxy = gatewayProxyOf(c.cache, c.effective);
  const dialled = { to, ports: workerPorts(c), requirement: exposingRows.workers[strategy] };
  const { place: from } = egressSourceOf(c);
  return {
    users: { from: id.users, to, ports: userPorts(c), requirement: exposingRows.users[strategy] },
    workers:
      proxy === undefined ? { from, ...dialled } : { from, to: proxy.id, ports: [proxy.port], requirement: proxyRow },
    ...(proxy === undefined ? {} : { proxy: { from: proxy.id, ...dialled } }),
    controlPlane:
      c.cluster.spec.controlPlane?.external === undefined ? insideSeed(c.cache, c.seed) : toExternalControlPlane(c),
  };
}

function userPorts(c: ClusterContext): number[] {
  if (c.effective.exposeStrategy === 'Tunneling') return [userPortOf(c.seed)];
  return c.nodePorts === undefined ? [] : [c.nodePorts.apiServer];
}

/** Of kubelets, konnectivity agents and node agents. */
function workerPorts(c: ClusterContext): number[] {
  const { apiServer, konnectivity, tunnel } = endpointOf(c);
  return sorted([apiServer.port, konnectivity.port, tunnel?.port]);
}

/** A control plane that we run is in the seed, where no firewall stands between the gateway and it. */
const insideSeed = memo((seed: Seed): Connection => {
  const nodes = id.seedPlace(seed.metadata.name, 'nodes');
  return { from: nodes, to: nodes, ports: [servicePort] };
});

function toExternalControlPlane(c: ClusterContext): Connection {
  const backends = [...backendsOf(c, 'apiServer'), ...backendsOf(c, 'konnectivity')];
  return {
    from: id.seedPlace(c.seed.metadata.name, 'nodes'),
    to: id.clusterPlace(c.name, 'control-plane'),
    ports: sorted(backends.map((backend) => remoteOfEndpoint(backend).port)),
    requirement: externalRow,
  };
}

const sorted = (ports: readonly (number | null | undefined)[]): number[] =>
  unique(ports.filter((port) => port !== null && port !== undefined)).sort((a, b) => a - b);
