// Laws of the connections that the topology shows, over platforms of every shape: tenants, strategies, split and single
// entries, proxies, control planes that something else runs.
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseHostPort } from '../core/host-port.ts';
import { plan as planOf } from '../plan/index.ts';
import type { Endpoint, Flow, Plan } from '../plan/schema/index.ts';
import { arbitraryModel } from '../plan/testing/arbitrary-model.ts';
import { gatewaySegments, type PathSegment, type PlannedPath, plannedPaths } from './planned-paths.ts';

const law = (name: string, holds: (plan: Plan, path: PlannedPath, endpoint: Endpoint) => void): void => {
  const holdsForAll = (plan: Plan): void => {
    for (const path of plannedPaths(plan).values()) holds(plan, path, plan.endpoints[path.cluster] as Endpoint);
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
const portsOf = (segments: readonly (PathSegment | undefined)[]): number[] =>
  set(segments.flatMap((segment) => segment?.ports ?? []));
const portOfUrl = (url: string): number => Number(new URL(url).port || (url.startsWith('https:') ? 443 : 80));
const dialledBy = ({ apiServer, konnectivity, tunnel }: Endpoint): number[] =>
  set([apiServer.port, konnectivity.port, tunnel?.port]);
const workerSegments = ({ kubelet, konnectivity, agent }: PlannedPath): (PathSegment | undefined)[] => [
  kubelet,
  konnectivity,
  agent,
];
const segmentsOf = (path: PlannedPath): PathSegment[] =>
  [path.users, path.controlPlane, ...workerSegments(path), path.proxy].filter((segment) => segment !== undefined);

law('users need the port that their kubeconfig names, and no other', (_, { users }, { kubeconfigServer }) => {
  deepEqual(users.ports, kubeconfigServer === null ? [] : [portOfUrl(kubeconfigServer)]);
});

law('workers need what their endpoints are on, or the port of the proxy before them', (plan, path, endpoint) => {
  const paths = plan.proxy.workers[path.cluster];
  const through = plan.proxy.places[`cluster/${path.cluster}/nodes`];
  const isProxied = paths?.konnectivityAgent.by !== 'direct';
  const proxy = portOfUrl(through?.https ?? through?.http ?? 'http://none');
  deepEqual(portsOf(workerSegments(path)), isProxied ? [proxy] : dialledBy(endpoint));
  deepEqual(portsOf([path.proxy]), isProxied ? dialledBy(endpoint) : []);
});

law(
  'each program of the workers needs the port of its own endpoint',
  (_, path, { apiServer, konnectivity, tunnel }) => {
    if (path.proxy !== undefined) return;
    deepEqual(path.kubelet.ports, set([apiServer.port]));
    deepEqual(path.konnectivity.ports, set([konnectivity.port]));
    deepEqual(path.agent?.ports, tunnel && [tunnel.port]);
  },
);

law('the gateway needs the ports of the servers behind it', (plan, { cluster, seed, controlPlane }) => {
  const routes = plan.gateway[seed]?.clusters[cluster];
  const backends = [...(routes?.apiServer.backends ?? []), ...(routes?.konnectivity.backends ?? [])];
  deepEqual(controlPlane.ports, set(backends.map((backend) => parseHostPort(backend)?.port)));
});

const rows = ['PRT-8', 'PRT-9', 'PRT-10', 'PRT-11', 'PRT-12', 'PRT-13', 'XPS-1'];

law('a cluster has all flows of the port table that name it, wherever its workers stand', (plan, path) => {
  const shown = new Set(segmentsOf(path).flatMap(({ flows }) => flows));
  const wanted = plan.flows.filter(
    ({ requirement, clusters }) => rows.includes(requirement) && clusters.includes(path.cluster),
  );
  deepEqual(new Set([...shown].filter(({ requirement }) => rows.includes(requirement))), new Set(wanted));
  for (const segment of workerSegments(path)) ok(segment === undefined || segment.flows.length === 1, segment?.id);
  deepEqual(path.proxy?.flows.length, path.proxy && 1);
});

law('its flows allow each port that a connection needs', (plan, path) => {
  for (const { id, ports, flows } of segmentsOf(path))
    for (const flow of flows) {
      ok(flow.clusters.includes(path.cluster) && flow.from in plan.places && flow.to in plan.places, id);
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
      for (const segment of gatewaySegments(plan, clusters)) {
        const paths = clusters
          .map((name) => plannedPaths(plan).get(name) as PlannedPath)
          .filter(({ seed }) => seed === segment.seed);
        deepEqual(segment.ports, portsOf(paths.map(({ users }) => users)));
        deepEqual(new Set(segment.flows), new Set(paths.flatMap(({ users }) => users.flows)));
      }
    }),
  );
});
