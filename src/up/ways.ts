// The way between users or workers and each control plane as the plan has it, whether it works or not: looked at every
// moment, and worked out once for each plan.
import { memo, memoLast } from '../core/memo.ts';
import { hostPort } from '../net/host-port.ts';
import type { Endpoint, Flow, Plan } from '../plan/schema/index.ts';
import { accessOf, gatewayAddresses } from './cluster/access.ts';
import { proxyOf } from './cluster/worker-wish.ts';
import type { Hop } from './view.ts';

/** One part of a way. */
export type Leg = Pick<Hop, 'id' | 'from' | 'to' | 'title' | 'address' | 'requirement'>;

export interface Way {
  readonly cluster: string;
  readonly seed: string;
  readonly api: Leg;
  readonly konnectivity: Leg;
  /** Where pods reach the control plane through the node agent. */
  readonly agent: Leg | undefined;
  /** Where workers go through one: from there to the gateway. */
  readonly proxy: Leg | undefined;
}

export const waysOf = memo(
  (plan: Plan): ReadonlyMap<string, Way> =>
    new Map(Object.values(plan.endpoints).map((endpoint) => [endpoint.cluster, wayOf(plan, endpoint)])),
);

export const doorsOf = memo((plan: Plan): readonly (Leg & { readonly seed: string })[] =>
  Object.keys(plan.gateway).map((seed) => ({ seed, ...doorOf(plan, seed) })),
);

function doorOf(plan: Plan, seed: string): Leg {
  const listeners = plan.gateway[seed]?.listeners;
  const [address] = gatewayAddresses(plan, seed);
  const port = listeners?.sni ?? listeners?.single;
  return {
    id: `gateway/${seed}`,
    from: 'users',
    to: `gateway/${seed}`,
    title: `Users reach the gateway of ${seed}`,
    ...(address === undefined || port === undefined ? {} : { address: hostPort(address, port) }),
    ...rowOf(
      requirementOf(plan, 'users', gatewayPlace(seed), ({ ports }) => port !== undefined && ports.includes(port)),
    ),
  };
}

/** Of a cluster that an edit did not touch it is the same way. */
const known = memoLast<Endpoint, Way>();

function wayOf(plan: Plan, endpoint: Endpoint): Way {
  const { cluster, seed } = endpoint;
  const server = accessOf(plan, cluster)?.server;
  const proxy = proxyHost(plan, cluster);
  const asked = entryOf(plan, 'users', endpoint);
  const [workers, through] = workerRows(plan, endpoint, proxy);
  return known(endpoint, [server, proxy, asked, workers, through], () => ({
    cluster,
    seed,
    api: apiLeg(endpoint, server, rowOf(asked)),
    ...workerLegs(endpoint, proxy, rowOf(workers), rowOf(through)),
  }));
}

function proxyHost(plan: Plan, cluster: string): string | undefined {
  const url = proxyOf(plan, cluster)?.url;
  return url === undefined ? undefined : new URL(url).host;
}

/** Of what workers dial, and of what a proxy dials for them. */
function workerRows(plan: Plan, endpoint: Endpoint, proxy: string | undefined): (string | undefined)[] {
  const workers = `datacenter/${endpoint.datacenter}/workers`;
  if (proxy === undefined) return [entryOf(plan, workers, endpoint)];
  const place = `proxy/${proxy}`;
  return [requirementOf(plan, workers, place, forCluster(endpoint.cluster)), entryOf(plan, place, endpoint)];
}

const apiLeg = ({ cluster, seed }: Endpoint, server: string | undefined, row: Row): Leg => ({
  id: `api/${cluster}`,
  from: `gateway/${seed}`,
  to: `cluster/${cluster}`,
  title: `API server of ${cluster}`,
  ...(server === undefined ? {} : { address: server.replace('https://', '') }),
  ...row,
});

type WorkerLegs = Omit<Way, 'cluster' | 'seed' | 'api'>;

function workerLegs(endpoint: Endpoint, proxy: string | undefined, row: Row, rowOfProxy: Row): WorkerLegs {
  const { cluster, seed, tunnel } = endpoint;
  const between = { from: `workers/${cluster}`, to: proxy === undefined ? `gateway/${seed}` : `proxy/${proxy}` };
  // Behind a proxy that is what workers dial; the gateway is what they ask it for.
  const dialled = (place: Target): Pick<Leg, 'address'> =>
    proxy === undefined ? addressOf(place) : { address: proxy };
  const konnectivity: Leg = {
    id: `konnectivity/${cluster}`,
    ...between,
    title: `Konnectivity agents of ${cluster}`,
    ...dialled(endpoint.konnectivity),
    ...row,
  };
  const through: Leg = {
    id: `proxy/${cluster}`,
    from: between.to,
    to: `gateway/${seed}`,
    title: `The proxy reaches the gateway of ${seed}`,
    ...addressOf(endpoint.konnectivity),
    ...rowOfProxy,
  };
  return {
    konnectivity,
    agent: tunnel && {
      ...konnectivity,
      id: `agent/${cluster}`,
      title: `Node agents of ${cluster}`,
      ...dialled(tunnel),
    },
    proxy: proxy === undefined ? undefined : through,
  };
}

type Target = Pick<Endpoint['konnectivity'], 'host' | 'port'>;

const addressOf = ({ host, port }: Target): { address?: string } =>
  host === null || port === null ? {} : { address: hostPort(host, port) };

const gatewayPlace = (seed: string): string => `seed/${seed}/gateway`;

type Row = Pick<Leg, 'requirement'>;
const rowOf = (requirement: string | undefined): Row => (requirement === undefined ? {} : { requirement });

/** By the shared gateway, or by an address that only this cluster has. */
function entryOf(plan: Plan, from: string, { seed, cluster }: Endpoint): string | undefined {
  const isOurs = forCluster(cluster);
  return (
    requirementOf(plan, from, gatewayPlace(seed), isOurs) ??
    requirementOf(plan, from, `seed/${seed}/load-balancers`, isOurs)
  );
}

/** Row of the flow between two places that is meant. */
const requirementOf = (plan: Plan, from: string, to: string, isIt: (flow: Flow) => boolean): string | undefined =>
  flowsBetween(plan).get(`${from} ${to}`)?.find(isIt)?.requirement;

const forCluster =
  (cluster: string) =>
  (flow: Flow): boolean =>
    clustersOf(flow).has(cluster);
const flowsBetween = memo((plan: Plan) => Map.groupBy(plan.flows, ({ from, to }) => `${from} ${to}`));
const clustersOf = memo((flow: Flow) => new Set(flow.clusters));
