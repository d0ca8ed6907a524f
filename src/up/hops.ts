// The way between users or workers and a control plane, part by part, and whether each works now.

import { memo } from '../core/memo.ts';
import { hostPort } from '../net/host-port.ts';
import type { Endpoint, Flow, Plan } from '../plan/schema/index.ts';
import type { Health, WorkersView } from '../workers/worker-input.ts';
import { accessOf, gatewayAddresses } from './cluster/access.ts';
import type { State } from './cluster/managed-runner.ts';
import { proxyOf } from './cluster/worker-wish.ts';
import type { SeedGateway } from './gateway/seed-gateway.ts';
import type { ClusterTraffic } from './gateway/traffic.ts';
import type { Hop } from './view.ts';

export interface HopFacts {
  readonly plan: Plan;
  readonly traffic: ReadonlyMap<string, ClusterTraffic>;
  gateway(seed: string): SeedGateway | undefined;
  /** Of the control plane alone. */
  controlPlane(cluster: string): State | undefined;
  workers(cluster: string): WorkersView | undefined;
  /** When this part was last seen to work, now included. */
  lastWorked(id: string, healthy: boolean | undefined): number | undefined;
}

export function hopsOf(facts: HopFacts, clusters: readonly string[]): Hop[] {
  const endpoints = clusters.flatMap((name) => facts.plan.endpoints[name] ?? []);
  const hops = [
    ...Object.keys(facts.plan.gateway).map((seed) => usersHop(facts, seed)),
    ...endpoints.flatMap((endpoint) => [apiHop(facts, endpoint), ...workerHops(facts, endpoint)]),
  ];
  return hops.map((hop) => {
    const lastWorked = facts.lastWorked(hop.id, hop.healthy);
    return lastWorked === undefined ? hop : { ...hop, lastWorked };
  });
}

const gatewayPlace = (seed: string): string => `seed/${seed}/gateway`;

/** Row of the plan's flow between two places, for this cluster if there is one. */
function requirementOf(plan: Plan, from: string, to: string, cluster?: string): { requirement?: string } {
  const flows = flowsBetween(plan).get(`${from} ${to}`) ?? [];
  const flow = flows.find((one) => cluster === undefined || clustersOf(one).has(cluster));
  return flow === undefined ? {} : { requirement: flow.requirement };
}
const flowsBetween = memo((plan: Plan) => Map.groupBy(plan.flows, ({ from, to }) => `${from} ${to}`));
const clustersOf = memo((flow: Flow) => new Set(flow.clusters));

function usersHop({ plan, gateway }: HopFacts, seed: string): Hop {
  const listeners = plan.gateway[seed]?.listeners;
  const [address] = gatewayAddresses(plan, seed);
  const port = listeners?.sni ?? listeners?.single;
  return {
    id: `gateway/${seed}`,
    from: 'users',
    to: `gateway/${seed}`,
    title: `Users reach the gateway of ${seed}`,
    ...gatewayHealth(gateway(seed)),
    ...(address === undefined || port === undefined ? {} : { address: hostPort(address, port) }),
    ...requirementOf(plan, 'users', gatewayPlace(seed)),
  };
}

function gatewayHealth(gateway: SeedGateway | undefined, cluster?: string): Pick<Hop, 'healthy' | 'why' | 'fix'> {
  const problem = gateway?.problem ?? (cluster === undefined ? undefined : gateway?.clusterProblems.get(cluster));
  if (problem !== undefined) return { healthy: false, ...problem };
  return gateway?.healthy === true ? { healthy: true } : { healthy: false, why: 'the gateway is not there' };
}

function apiHop({ plan, gateway, controlPlane, traffic }: HopFacts, { cluster, seed }: Endpoint): Hop {
  const access = accessOf(plan, cluster);
  const served = gatewayHealth(gateway(seed), cluster);
  const inside = controlPlane(cluster);
  const flow = traffic.get(cluster)?.apiServer;
  const health = served.healthy && inside !== undefined ? insideHealth(inside) : served;
  return {
    id: `api/${cluster}`,
    from: `gateway/${seed}`,
    to: `cluster/${cluster}`,
    title: `API server of ${cluster}`,
    ...health,
    ...(access === undefined ? {} : { address: new URL(access.server).host }),
    ...requirementOf(plan, 'users', gatewayPlace(seed), cluster),
    ...(flow === undefined ? {} : { traffic: flow }),
  };
}

const insideHealth = ({ ready, reason }: State): Pick<Hop, 'healthy' | 'why'> =>
  ready ? { healthy: true } : { healthy: false, why: reason ?? 'it is not ready' };

function workerHops({ plan, workers, traffic }: HopFacts, endpoint: Endpoint): Hop[] {
  const { cluster, seed, datacenter } = endpoint;
  const seen = workers(cluster);
  const url = proxyOf(plan, cluster)?.url;
  const proxy = url === undefined ? undefined : new URL(url).host;
  const row = requirementOf(plan, `datacenter/${datacenter}/workers`, gatewayPlace(seed), cluster);
  const from = `workers/${cluster}`;
  const first = proxy === undefined ? `gateway/${seed}` : `proxy/${proxy}`;
  const flow = traffic.get(cluster)?.konnectivity;
  // Behind a proxy that is what workers dial; the gateway is what they ask it for.
  const dialled = proxy === undefined ? addressOf(endpoint.konnectivity) : { address: proxy };
  const konnectivity: Hop = {
    id: `konnectivity/${cluster}`,
    from,
    to: first,
    title: `Konnectivity agents of ${cluster}`,
    ...healthOf(seen?.konnectivityAgent),
    ...dialled,
    ...row,
    ...(flow === undefined ? {} : { traffic: flow }),
  };
  const agent = endpoint.tunnel && agentHop(endpoint, { from, to: first, row, seen: seen?.nodeAgent, proxy });
  const through: Hop | undefined =
    proxy === undefined
      ? undefined
      : {
          id: `proxy/${cluster}`,
          from: first,
          to: `gateway/${seed}`,
          title: `The proxy reaches the gateway of ${seed}`,
          ...healthOf(seen?.proxy),
          ...addressOf(endpoint.konnectivity),
          ...row,
        };
  return [konnectivity, agent, through].filter((hop) => hop !== undefined);
}

interface AgentWay {
  readonly from: string;
  readonly to: string;
  readonly row: { readonly requirement?: string };
  readonly seen: Health | undefined;
  readonly proxy: string | undefined;
}

const agentHop = (endpoint: Endpoint, { from, to, row, seen, proxy }: AgentWay): Hop => ({
  id: `agent/${endpoint.cluster}`,
  from,
  to,
  title: `Node agents of ${endpoint.cluster}`,
  ...healthOf(seen),
  ...(proxy !== undefined ? { address: proxy } : endpoint.tunnel && addressOf(endpoint.tunnel)),
  ...row,
});

/** Nobody looks where this machine plays no workers. */
const healthOf = (seen: Health | undefined): Pick<Hop, 'healthy' | 'why' | 'fix'> => ({
  healthy: seen?.healthy,
  ...(seen?.why === undefined ? {} : { why: seen.why }),
  ...(seen?.fix === undefined ? {} : { fix: seen.fix }),
});

const addressOf = ({ host, port }: { host: string | null; port: number | null }): { address?: string } =>
  host === null || port === null ? {} : { address: hostPort(host, port) };
