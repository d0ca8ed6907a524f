// The way between users or workers and a control plane, part by part, and whether each works now.
import type { Plan } from '../plan/schema/index.ts';
import type { Health, WorkersView } from '../workers/worker-input.ts';
import type { State } from './cluster/managed-runner.ts';
import type { SeedGateway } from './gateway/seed-gateway.ts';
import type { ClusterTraffic } from './gateway/traffic.ts';
import type { Hop, Traffic } from './view.ts';
import { doorsOf, type Leg, type Way, waysOf } from './ways.ts';

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
  const ways = waysOf(facts.plan);
  const hops = doorsOf(facts.plan).map(({ seed, ...leg }) => seen(facts, leg, gatewayHealth(facts.gateway(seed))));
  for (const name of clusters) {
    const way = ways.get(name);
    if (way !== undefined) addHops(hops, facts, way);
  }
  return hops;
}

function addHops(hops: Hop[], facts: HopFacts, way: Way): void {
  const traffic = facts.traffic.get(way.cluster);
  const workers = facts.workers(way.cluster);
  hops.push(
    seen(facts, way.api, apiHealth(facts, way), traffic?.apiServer),
    seen(facts, way.konnectivity, healthOf(workers?.konnectivityAgent), traffic?.konnectivity),
  );
  if (way.agent !== undefined) hops.push(seen(facts, way.agent, healthOf(workers?.nodeAgent)));
  if (way.proxy !== undefined) hops.push(seen(facts, way.proxy, healthOf(workers?.proxy)));
}

type Seen = Pick<Hop, 'healthy' | 'why' | 'fix'>;

function seen({ lastWorked }: HopFacts, leg: Leg, health: Seen, traffic?: Traffic): Hop {
  const worked = lastWorked(leg.id, health.healthy);
  return {
    ...leg,
    ...health,
    ...(traffic === undefined ? {} : { traffic }),
    ...(worked === undefined ? {} : { lastWorked: worked }),
  };
}

const works: Seen = { healthy: true };
const unknown: Seen = { healthy: undefined };

function gatewayHealth(gateway: SeedGateway | undefined, cluster?: string): Seen {
  const problem = gateway?.problem ?? (cluster === undefined ? undefined : gateway?.clusterProblems.get(cluster));
  if (problem !== undefined) return { healthy: false, ...problem };
  return gateway?.healthy === true ? works : { healthy: false, why: 'the gateway is not there' };
}

function apiHealth({ gateway, controlPlane }: HopFacts, { cluster, seed }: Way): Seen {
  const served = gatewayHealth(gateway(seed), cluster);
  const inside = controlPlane(cluster);
  if (served.healthy !== true || inside === undefined) return served;
  return inside.ready ? works : { healthy: false, why: inside.reason ?? 'it is not ready' };
}

/** Nobody looks where this machine plays no workers. */
function healthOf(health: Health | undefined): Seen {
  if (health === undefined) return unknown;
  const { healthy, why, fix } = health;
  return { healthy, ...(why === undefined ? {} : { why }), ...(fix === undefined ? {} : { fix }) };
}
