// Laws of the connections that the topology shows, over platforms of every shape: tenants, strategies, split and single
// entries, proxies, control planes that something else runs.
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseHostPort } from '../net/host-port.ts';
import { plan as planOf } from '../plan/index.ts';
import type { Endpoint, Flow, Plan } from '../plan/schema/index.ts';
import { arbitraryModel } from '../plan/testing/arbitrary-model.ts';
import { gatewayLegsOf, type Leg, type Way, waysOf } from './ways.ts';

const law = (name: string, holds: (plan: Plan, way: Way, endpoint: Endpoint) => void): void => {
  const holdsForAll = (plan: Plan): void => {
    for (const way of waysOf(plan).values()) holds(plan, way, plan.endpoints[way.cluster] as Endpoint);
  };
  test(name, () =>
    fc.assert(
      fc.property(arbitraryModel(), (model) => holdsForAll(planOf(model))),
      { numRuns: 150 },
    ),
  );
};

const set = (ports: Iterable<number | null | undefined>): number[] =>
  [...new Set([...ports].filter((port) => typeof port === 'number'))].sort((a, b) => a - b);
const portsOf = (legs: readonly (Leg | undefined)[]): number[] => set(legs.flatMap((leg) => leg?.ports ?? []));
const portOfUrl = (url: string): number => Number(new URL(url).port || (url.startsWith('https:') ? 443 : 80));
const dialledBy = ({ apiServer, konnectivity, tunnel }: Endpoint): number[] =>
  set([apiServer.port, konnectivity.port, tunnel?.port]);
const workerLegs = ({ kubelet, konnectivity, agent }: Way): (Leg | undefined)[] => [kubelet, konnectivity, agent];
const legsOf = (way: Way): Leg[] =>
  [way.users, way.controlPlane, ...workerLegs(way), way.proxy].filter((leg) => leg !== undefined);

law('users need the port that their kubeconfig names, and no other', (_, { users }, { kubeconfigServer }) => {
  deepEqual(users.ports, kubeconfigServer === null ? [] : [portOfUrl(kubeconfigServer)]);
});

law('workers need what their endpoints are on, or the port of the proxy before them', (plan, way, endpoint) => {
  const ways = plan.proxy.workers[way.cluster];
  const through = plan.proxy.places[`cluster/${way.cluster}/nodes`];
  const isProxied = ways?.konnectivityAgent.by !== 'direct';
  const proxy = portOfUrl(through?.https ?? through?.http ?? 'http://none');
  deepEqual(portsOf(workerLegs(way)), isProxied ? [proxy] : dialledBy(endpoint));
  deepEqual(portsOf([way.proxy]), isProxied ? dialledBy(endpoint) : []);
});

law('each program of the workers needs the port of its own endpoint', (_, way, { apiServer, konnectivity, tunnel }) => {
  if (way.proxy !== undefined) return;
  deepEqual(way.kubelet.ports, set([apiServer.port]));
  deepEqual(way.konnectivity.ports, set([konnectivity.port]));
  deepEqual(way.agent?.ports, tunnel && [tunnel.port]);
});

law('the gateway needs the ports of the servers behind it', (plan, { cluster, seed, controlPlane }) => {
  const routes = plan.gateway[seed]?.clusters[cluster];
  const backends = [...(routes?.apiServer.backends ?? []), ...(routes?.konnectivity.backends ?? [])];
  deepEqual(controlPlane.ports, set(backends.map((backend) => parseHostPort(backend)?.port)));
});

const rows = ['PRT-8', 'PRT-9', 'PRT-10', 'PRT-11', 'PRT-12', 'PRT-13', 'XPS-1'];

law('a cluster has all flows of the port table that name it, wherever its workers stand', (plan, way) => {
  const shown = new Set(legsOf(way).flatMap(({ flows }) => flows));
  const wanted = plan.flows.filter(
    ({ requirement, clusters }) => rows.includes(requirement) && clusters.includes(way.cluster),
  );
  deepEqual(new Set([...shown].filter(({ requirement }) => rows.includes(requirement))), new Set(wanted));
  for (const leg of workerLegs(way)) ok(leg === undefined || leg.flows.length === 1, leg?.id);
  deepEqual(way.proxy?.flows.length, way.proxy && 1);
});

law('its flows allow each port that a connection needs', (plan, way) => {
  for (const { id, ports, flows } of legsOf(way))
    for (const flow of flows) {
      ok(flow.clusters.includes(way.cluster) && flow.from in plan.places && flow.to in plan.places, id);
      for (const port of ports) ok(allows(flow, port), `${id}: ${port}`);
    }
});

const allows = ({ ports }: Flow, wanted: number): boolean =>
  ports.some((port) => {
    const [first = 0, last = first] = String(port).split('-').map(Number);
    return first <= wanted && wanted <= last;
  });

test('users need of a gateway what they need of its clusters, all and no other', () => {
  const some = fc.tuple(arbitraryModel(), fc.nat());
  fc.assert(
    fc.property(some, ([model, left]) => {
      const plan = planOf(model);
      const clusters = Object.keys(plan.endpoints).filter((_, at) => ((left >> at) & 1) === 0);
      for (const leg of gatewayLegsOf(plan, clusters)) {
        const ways = clusters.map((name) => waysOf(plan).get(name) as Way).filter(({ seed }) => seed === leg.seed);
        deepEqual(leg.ports, portsOf(ways.map(({ users }) => users)));
        deepEqual(new Set(leg.flows), new Set(ways.flatMap(({ users }) => users.flows)));
      }
    }),
  );
});
