// Who connects to whom on behalf of one cluster, and on exactly which ports. A flow is what a firewall opens for many
// clusters (a whole range of node ports); this is the part of it that one cluster uses.
import { memoInside } from './cache.ts';
import type { ClusterContext } from './context.ts';
import { seatOf } from './egress/seats.ts';
import { endpointOf } from './endpoints.ts';
import { externalRow } from './flows/control-planes.ts';
import { entryOf, exposingRows } from './flows/exposing.ts';
import { gatewayProxyOf, proxyRow } from './flows/proxies.ts';
import { backendsOf } from './gateway/cluster.ts';
import * as id from './places/ids.ts';
import { unique } from './places/place.ts';
import { remoteOfEndpoint } from './places/remote.ts';
import { userPortOf } from './ports.ts';
import type { Path } from './schema/index.ts';

type Connection = Path['users'];

export const pathOf = memoInside('path', (c: ClusterContext): Path => {
  const { exposeStrategy: strategy } = c.effective;
  const to = entryOf(c.seed, strategy);
  const proxy = gatewayProxyOf(c.cache, c.effective);
  const dialled = { to, ports: workerPorts(c), requirement: exposingRows.workers[strategy] };
  const { place: from } = seatOf(c);
  return {
    users: { from: id.users, to, ports: userPorts(c), requirement: exposingRows.users[strategy] },
    workers:
      proxy === undefined ? { from, ...dialled } : { from, to: proxy.id, ports: [proxy.port], requirement: proxyRow },
    ...(proxy === undefined ? {} : { proxy: { from: proxy.id, ...dialled } }),
    controlPlane: controlPlaneConnection(c),
  };
});

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
function controlPlaneConnection(c: ClusterContext): Connection {
  const nodes = id.seedPlace(c.seed.metadata.name, 'nodes');
  const backends = [...backendsOf(c, 'apiServer'), ...backendsOf(c, 'konnectivity')];
  const ports = sorted(backends.map((backend) => remoteOfEndpoint(backend).port));
  const isExternal = c.cluster.spec.controlPlane?.external !== undefined;
  return isExternal
    ? { from: nodes, to: id.controlPlane(c.name), ports, requirement: externalRow }
    : { from: nodes, to: nodes, ports };
}

const sorted = (ports: readonly (number | null | undefined)[]): number[] =>
  unique(ports.filter((port) => port !== null && port !== undefined)).sort((a, b) => a - b);
