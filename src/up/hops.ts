// The way between users or workers and a control plane, part by part, and whether each works now.
import { loopback } from '../control-plane/components/flags.ts';
import type { InnerPorts } from '../control-plane/control-plane.ts';
import { hostPort } from '../net/host-port.ts';
import type { Plan } from '../plan/schema/index.ts';
import type { Health, WorkersView } from '../workers/worker-input.ts';
import type { State } from './cluster/managed-runner.ts';
import type { SeedGateway } from './gateway/seed-gateway.ts';
import type { ClusterTraffic } from './gateway/traffic.ts';
import type { Hop, Traffic } from './view.ts';
import { gatewayLegsOf, type Leg, type Way, waysOf } from './ways.ts';

export interface HopFacts {
  readonly plan: Plan;
  readonly traffic: ReadonlyMap<string, ClusterTraffic>;
  gateway(seed: string): SeedGateway | undefined;
  /** Of the control planes that this machine runs: where they are, which no plan knows. */
  innerPorts(cluster: string): InnerPorts | undefined;
  /** Of the control plane alone. */
  controlPlane(cluster: string): State | undefined;
  workers(cluster: string): WorkersView | undefined;
  /** When this part was last seen to work, now included. */
  lastWorked(id: string, healthy: boolean | undefined): number | undefined;
}

export function hopsOf(facts: HopFacts, clusters: readonly string[]): Hop[] {
  const ways = waysOf(facts.plan);
  const hops = gatewayLegsOf(facts.plan, clusters).map(({ seed, ...leg }) =>
    seen(facts, leg, fromHere(gatewayHealth(facts.gateway(seed)))),
  );
  for (const name of clusters) {
    const way = ways.get(name);
    if (way !== undefined) addHops(hops, facts, way);
  }
  return hops;
}

function addHops(hops: Hop[], facts: HopFacts, way: Way): void {
  const traffic = facts.traffic.get(way.cluster);
  const workers = facts.workers(way.cluster);
  const { controlPlane } = way;
  const atWorkers = (health: Health | undefined): Seen => healthOf(health, workers);
  hops.push(
    seen(facts, placed(controlPlane, facts.innerPorts(way.cluster)), apiHealth(facts, way), traffic?.apiServer),
    seen(facts, way.kubelet, atWorkers(workers?.nodes)),
    seen(facts, way.konnectivity, atWorkers(workers?.konnectivityAgent), traffic?.konnectivity),
  );
  if (way.agent !== undefined) hops.push(seen(facts, way.agent, atWorkers(workers?.nodeAgent)));
  if (way.proxy !== undefined) hops.push(seen(facts, way.proxy, atWorkers(workers?.proxy)));
}

/** As the gateway of this machine dials it. */
const placed = (leg: Leg, ports: InnerPorts | undefined): Leg =>
  ports === undefined
    ? leg
    : {
        ...leg,
        address: hostPort(loopback, ports.apiServer),
        ports: [ports.apiServer, ports.konnectivityAgents].sort((a, b) => a - b),
      };

type Seen = Pick<Hop, 'healthy' | 'why' | 'fix' | 'seenFrom'>;

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
const fromHere = (seen: Seen): Seen => ({ ...seen, seenFrom: 'this machine' });

function gatewayHealth(gateway: SeedGateway | undefined, cluster?: string): Seen {
  const problem = gateway?.problem ?? (cluster === undefined ? undefined : gateway?.clusterProblems.get(cluster));
  if (problem !== undefined) return { healthy: false, ...problem };
  return gateway?.healthy === true ? works : { healthy: false, why: 'the gateway is not there' };
}

function apiHealth({ gateway, controlPlane }: HopFacts, { cluster, seed }: Way): Seen {
  const served = gatewayHealth(gateway(seed), cluster);
  const inside = controlPlane(cluster);
  if (served.healthy !== true || inside === undefined) return fromHere(served);
  return fromHere(inside.ready ? works : { healthy: false, why: inside.reason ?? 'it is not ready' });
}

/** Nobody looks where this machine plays no workers. */
function healthOf(health: Health | undefined, workers: WorkersView | undefined): Seen {
  if (health === undefined || workers === undefined) return unknown;
  const { healthy, why, fix } = health;
  const seenFrom = workersOf[workers.kind];
  return { healthy, seenFrom, ...(why === undefined ? {} : { why }), ...(fix === undefined ? {} : { fix }) };
}

const workersOf = { demo: 'the demo workers on this machine', real: 'the real worker on this machine' } as const;
