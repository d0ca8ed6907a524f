// The way between users or workers and each control plane as the plan has it, whether it works or not: looked at every
// moment, and worked out once for each plan.
import { memo } from '../core/memo.ts';
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
    ...requirementOf(plan, 'users', gatewayPlace(seed)),
  };
}

function wayOf(plan: Plan, endpoint: Endpoint): Way {
  const { cluster, seed } = endpoint;
  return { cluster, seed, api: apiLeg(plan, endpoint), ...workerLegs(plan, endpoint) };
}

function apiLeg(plan: Plan, { cluster, seed }: Endpoint): Leg {
  const access = accessOf(plan, cluster);
  return {
    id: `api/${cluster}`,
    from: `gateway/${seed}`,
    to: `cluster/${cluster}`,
    title: `API server of ${cluster}`,
    ...(access === undefined ? {} : { address: access.server.replace('https://', '') }),
    ...requirementOf(plan, 'users', gatewayPlace(seed), cluster),
  };
}

function workerLegs(plan: Plan, endpoint: Endpoint): Pick<Way, 'konnectivity' | 'agent' | 'proxy'> {
  const { cluster, seed, datacenter, tunnel } = endpoint;
  const url = proxyOf(plan, cluster)?.url;
  const proxy = url === undefined ? undefined : new URL(url).host;
  const row = requirementOf(plan, `datacenter/${datacenter}/workers`, gatewayPlace(seed), cluster);
  const between = { from: `workers/${cluster}`, to: proxy === undefined ? `gateway/${seed}` : `proxy/${proxy}` };
  // Behind a proxy that is what workers dial; the gateway is what they ask it for.
  const dialled = (place: Target): Pick<Leg, 'address'> =>
    proxy === undefined ? addressOf(place) : { address: proxy };
  return {
    konnectivity: {
      id: `konnectivity/${cluster}`,
      ...between,
      title: `Konnectivity agents of ${cluster}`,
      ...dialled(endpoint.konnectivity),
      ...row,
    },
    agent: tunnel && {
      id: `agent/${cluster}`,
      ...between,
      title: `Node agents of ${cluster}`,
      ...dialled(tunnel),
      ...row,
    },
    proxy:
      proxy === undefined
        ? undefined
        : {
            id: `proxy/${cluster}`,
            from: between.to,
            to: `gateway/${seed}`,
            title: `The proxy reaches the gateway of ${seed}`,
            ...addressOf(endpoint.konnectivity),
            ...row,
          },
  };
}

type Target = Pick<Endpoint['konnectivity'], 'host' | 'port'>;

const addressOf = ({ host, port }: Target): { address?: string } =>
  host === null || port === null ? {} : { address: hostPort(host, port) };

const gatewayPlace = (seed: string): string => `seed/${seed}/gateway`;

/** Row of the plan's flow between two places, for this cluster if there is one. */
function requirementOf(plan: Plan, from: string, to: string, cluster?: string): { requirement?: string } {
  const flows = flowsBetween(plan).get(`${from} ${to}`) ?? [];
  const flow = flows.find((one) => cluster === undefined || clustersOf(one).has(cluster));
  return flow === undefined ? {} : { requirement: flow.requirement };
}
const flowsBetween = memo((plan: Plan) => Map.groupBy(plan.flows, ({ from, to }) => `${from} ${to}`));
const clustersOf = memo((flow: Flow) => new Set(flow.clusters));
