// The connections between users or workers and each control plane as the plan has them, whether they work or not:
// looked at every moment, and worked out once for each plan.

import { hostPort } from '../core/host-port.ts';
import { memo, memoLast } from '../core/memo.ts';
import type { Endpoint, Flow, Path, Plan } from '../plan/schema/index.ts';
import { accessOf } from './cluster/access.ts';
import type { Hop } from './view.ts';

/** One part of a path. */
export type PathSegment = Pick<Hop, 'id' | 'from' | 'to' | 'title' | 'address' | 'ports' | 'flows'>;

export interface PlannedPath {
  readonly cluster: string;
  readonly seed: string;
  /** The part of `gatewaySegments` that is for this cluster. */
  readonly users: PathSegment;
  readonly controlPlane: PathSegment;
  readonly kubelet: PathSegment;
  readonly konnectivity: PathSegment;
  /** Where pods reach the control plane through the node agent. */
  readonly agent: PathSegment | undefined;
  /** Where workers go through one: from there to the gateway. */
  readonly proxy: PathSegment | undefined;
}

export const plannedPaths = memo(
  (plan: Plan): ReadonlyMap<string, PlannedPath> =>
    new Map(Object.values(plan.endpoints).map((endpoint) => [endpoint.cluster, plannedPath(plan, endpoint)])),
);

type GatewaySegment = PathSegment & { readonly seed: string };
const lastGatewaySegments = memoLast<Plan, readonly GatewaySegment[]>();

/** From users to each gateway, for all of these clusters together. */
export const gatewaySegments = (plan: Plan, clusters: readonly string[]): readonly GatewaySegment[] =>
  lastGatewaySegments(plan, clusters, () => {
    const paths = clusters.flatMap((name) => plannedPaths(plan).get(name) ?? []);
    const bySeed = Map.groupBy(paths, ({ seed }) => seed);
    return Object.keys(plan.gateway).map((seed) => gatewaySegment(seed, bySeed.get(seed) ?? []));
  });

/** Of all segments of all paths. */
export const segmentIds = (plan: Plan): ReadonlySet<string> =>
  new Set([
    ...gatewaySegments(plan, Object.keys(plan.endpoints)).map(({ id }) => id),
    ...[...plannedPaths(plan).values()].flatMap(({ controlPlane, kubelet, konnectivity, agent, proxy }) =>
      [controlPlane, kubelet, konnectivity, agent, proxy].flatMap((segment) =>
        segment === undefined ? [] : [segment.id],
      ),
    ),
  ]);

function gatewaySegment(seed: string, paths: readonly PlannedPath[]): GatewaySegment {
  const segments = paths.map(({ users }) => users);
  const addresses = new Set(segments.map(({ address }) => address));
  const [address] = addresses;
  return {
    ...usersAndGateway(seed),
    seed,
    // Several have no address in common.
    ...(addresses.size !== 1 || address === undefined ? {} : { address }),
    ports: sortedPorts(segments.flatMap(({ ports }) => ports)),
    flows: [...new Set(segments.flatMap(({ flows }) => flows))],
  };
}

const usersAndGateway = (seed: string): Pick<PathSegment, 'id' | 'from' | 'to' | 'title'> => ({
  id: `gateway/${seed}`,
  from: 'users',
  to: `gateway/${seed}`,
  title: `Users reach the gateway of ${seed}`,
});

/** Of a cluster that an edit did not touch it is the same path. */
const known = memoLast<Endpoint, PlannedPath>();

function plannedPath(plan: Plan, endpoint: Endpoint): PlannedPath {
  const { cluster, seed } = endpoint;
  const path = plan.paths[cluster] as Path;
  const server = accessOf(plan, cluster)?.server;
  const backend = plan.gateway[seed]?.clusters[cluster]?.apiServer.backends[0];
  const [users, controlPlane, workers, proxy] = [path.users, path.controlPlane, path.workers, path.proxy].map((part) =>
    part === undefined ? undefined : flowOf(plan, part, cluster),
  );
  return known(endpoint, [path, server, backend, users, controlPlane, workers, proxy], () => ({
    cluster,
    seed,
    users: {
      ...usersAndGateway(seed),
      ...(server === undefined ? {} : { address: server.replace('https://', '') }),
      ...needs(path.users, users),
    },
    controlPlane: {
      id: `api/${cluster}`,
      from: `gateway/${seed}`,
      to: `cluster/${cluster}`,
      title: `Control plane of ${cluster}`,
      ...(backend === undefined ? {} : { address: backend }),
      ...needs(path.controlPlane, controlPlane),
    },
    ...workerSegments(endpoint, path, workers, proxy),
  }));
}

type Needs = Pick<PathSegment, 'ports' | 'flows'>;
const needs = ({ ports }: Pick<Path['users'], 'ports'>, flow: Flow | undefined): Needs => ({
  ports,
  flows: flow === undefined ? [] : [flow],
});

type WorkerSegments = Pick<PlannedPath, 'kubelet' | 'konnectivity' | 'agent' | 'proxy'>;
type Dialled = Pick<Endpoint['konnectivity'], 'host' | 'port'>;

function workerSegments(
  endpoint: Endpoint,
  path: Path,
  flow: Flow | undefined,
  beyond: Flow | undefined,
): WorkerSegments {
  const { cluster, seed, apiServer, konnectivity, tunnel } = endpoint;
  const gateway = `gateway/${seed}`;
  const segment = (id: string, title: string, target: Dialled): PathSegment => ({
    id: `${id}/${cluster}`,
    from: `workers/${cluster}`,
    title: `${title} of ${cluster}`,
    // Behind a proxy that is what workers dial; the gateway is what they ask it for.
    ...(path.proxy === undefined
      ? { to: gateway, ...dialled(target), ...needs({ ports: portsOf(target) }, flow) }
      : { to: path.workers.to, address: hostOf(path.workers.to), ...needs(path.workers, flow) }),
  });
  return {
    kubelet: segment('kubelet', 'Kubelets', apiServer),
    konnectivity: segment('konnectivity', 'Konnectivity agents', konnectivity),
    agent: tunnel && segment('agent', 'Node agents', tunnel),
    proxy: path.proxy && {
      id: `proxy/${cluster}`,
      from: path.workers.to,
      to: gateway,
      title: `The proxy reaches the gateway of ${seed}`,
      ...dialled(konnectivity),
      ...needs(path.proxy, beyond),
    },
  };
}

const portsOf = ({ port }: Dialled): number[] => (port === null ? [] : [port]);
const dialled = ({ host, port }: Dialled): { address?: string } =>
  host === null || port === null ? {} : { address: hostPort(host, port) };
/** A place of a proxy is named by what is dialled: proxy/HOST:PORT. */
const hostOf = (place: string): string => place.slice(place.indexOf('/') + 1);

const sortedPorts = (ports: readonly number[]): number[] => [...new Set(ports)].sort((a, b) => a - b);

/** The flow that a firewall opens for it. */
function flowOf(plan: Plan, { from, to, requirement }: Path['users'], cluster: string): Flow | undefined {
  if (requirement === undefined) return undefined;
  return flowsByEnds(plan)
    .get(`${from} ${to} ${requirement}`)
    ?.find((flow) => clustersOf(flow).has(cluster));
}
const flowsByEnds = memo((plan: Plan) =>
  Map.groupBy(plan.flows, ({ from, to, requirement }) => `${from} ${to} ${requirement}`),
);
const clustersOf = memo((flow: Flow) => new Set(flow.clusters));
