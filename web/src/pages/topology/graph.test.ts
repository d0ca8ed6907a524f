import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TopologyEdge, TopologyNode } from '../../api/types.ts';
import {
  bundlesOf,
  healthOfBundle,
  layoutOf,
  lineLabel,
  pathThrough,
  portsOfBundle,
  rateOfBundle,
  withGroups,
} from './graph.ts';

const node = (id: string, kind: TopologyNode['kind'], parent?: string): TopologyNode => ({
  id,
  kind,
  title: id,
  ...(parent === undefined ? {} : { parent }),
});
const hop = (id: string, from: string, to: string, more: Partial<TopologyEdge> = {}): TopologyEdge => ({
  id,
  from,
  to,
  title: id,
  ports: [],
  flows: [],
  ...more,
});

const nodes = [
  node('users', 'users'),
  node('workers/a', 'workers'),
  node('workers/b', 'workers'),
  node('proxy', 'proxy'),
  node('seed', 'seed'),
  node('gateway', 'gateway', 'seed'),
  node('cluster/a', 'cluster', 'seed'),
  node('cluster/b', 'cluster', 'seed'),
];
const lines = [
  { id: 'users→gateway', from: 'users', to: 'gateway', labelWidth: 100 },
  { id: 'workers/a→gateway', from: 'workers/a', to: 'gateway', labelWidth: 100 },
  { id: 'workers/b→proxy', from: 'workers/b', to: 'proxy', labelWidth: 100 },
  { id: 'proxy→gateway', from: 'proxy', to: 'gateway', labelWidth: 100 },
  { id: 'gateway→cluster/a', from: 'gateway', to: 'cluster/a', labelWidth: 100 },
  { id: 'gateway→cluster/b', from: 'gateway', to: 'cluster/b', labelWidth: 100 },
];

test('connections run from left to right, and nodes of a kind stand in one column', () => {
  const places = layoutOf(nodes, lines).boxes;
  const x = (id: string): number => places.get(id)?.x ?? Number.NaN;
  for (const { from, to } of lines) assert.ok(x(from) < x(to), `${from} is left of ${to}`);
  assert.equal(x('workers/a'), x('workers/b'));
  assert.equal(x('workers/a'), x('users'));
  assert.equal(x('cluster/a'), x('cluster/b'));
});

test('no node covers another, and a line to nowhere is left out', () => {
  const places = [
    ...layoutOf(nodes, [...lines, { id: 'x', from: 'users', to: 'nowhere', labelWidth: 100 }]).boxes.values(),
  ];
  assert.equal(places.length, nodes.length);
  assert.equal(new Set(places.map(({ x, y }) => `${x}/${y}`)).size, nodes.length);
});

test('no label stands on a node', () => {
  const { boxes, routes } = layoutOf(nodes, lines);
  for (const [line, { label }] of routes)
    for (const [id, { x, y, width, height }] of boxes) {
      const isOn = label.x > x && label.x < x + width && label.y > y && label.y < y + height;
      assert.ok(id === 'seed' || !isOn, `the label of ${line} is on ${id}`);
    }
});

test('a line begins and ends at the middle of its nodes', () => {
  const { boxes, routes } = layoutOf(nodes, lines);
  const [users, gateway] = [boxes.get('users'), boxes.get('gateway')];
  const points = routes.get('users→gateway')?.points ?? [];
  assert.ok(users && gateway);
  assert.deepEqual(points[0], { x: users.x + users.width, y: users.y + users.height / 2 });
  assert.deepEqual(points.at(-1), { x: gateway.x, y: gateway.y + gateway.height / 2 });
  assert.match(pathThrough(points), /^M [\d.]+,[\d.]+( C( [\d.]+,[\d.]+){3})+$/);
});

test('a seed is a frame around what runs in it, and around nothing else', () => {
  const boxes = layoutOf(nodes, lines).boxes;
  const frame = boxes.get('seed');
  assert.ok(frame);
  const isInside = (id: string): boolean => {
    const { x, y, width, height } = boxes.get(id) ?? frame;
    const wide = x >= frame.x && x + width <= frame.x + frame.width;
    return wide && y >= frame.y && y + height <= frame.y + frame.height;
  };
  const inside = nodes.map(({ id }) => id).filter((id) => id !== 'seed' && isInside(id));
  assert.deepEqual(inside, ['gateway', 'cluster/a', 'cluster/b']);
});

test('a seed with nothing in it has no frame', () => {
  assert.deepEqual([...layoutOf([node('users', 'users'), node('seed/empty', 'seed')], []).boxes.keys()], ['users']);
});

test('hops between the same two nodes are one line, as healthy as the worst of them', () => {
  const [both, other] = bundlesOf([
    hop('agent/a', 'workers/a', 'gateway', { healthy: true }),
    hop('konnectivity/a', 'workers/a', 'gateway', { healthy: false }),
    hop('api/a', 'gateway', 'cluster/a', { healthy: true }),
  ]);
  assert.ok(both && other);
  assert.deepEqual([both.hops.length, healthOfBundle(both)], [2, 'bad']);
  assert.deepEqual([other.hops.length, healthOfBundle(other)], [1, 'good']);
});

test('a line with a hop nobody knows about is not called healthy', () => {
  const [bundle] = bundlesOf([hop('a', 'x', 'y', { healthy: true }), hop('b', 'x', 'y')]);
  assert.ok(bundle);
  assert.equal(healthOfBundle(bundle), 'idle');
});

test('a line carries what its hops carry, and names each port once', () => {
  const [bundle] = bundlesOf([
    hop('a', 'x', 'y', { ports: [6443] }),
    hop('b', 'x', 'y', { ports: [6443, '30000-30004'] }),
    hop('c', 'x', 'y', { ports: [8088], address: 'other.example.com:9000' }),
  ]);
  assert.ok(bundle);
  assert.deepEqual(portsOfBundle(bundle), ['6443', '30000-30004', '8088']);
  assert.equal(rateOfBundle(bundle, new Map()), undefined);
  const rates = new Map([
    ['a', { in: 1, out: 2 }],
    ['c', { in: 10, out: 0 }],
  ]);
  assert.equal(rateOfBundle(bundle, rates), 13);
});

test('a line says its ports, and from where it was seen to work', () => {
  const [bundle] = bundlesOf([
    hop('a', 'users', 'gateway', { healthy: true, seenFrom: 'this machine', ports: [6443, 30000, 30002] }),
  ]);
  assert.ok(bundle);
  const { label, words } = lineLabel(bundle, new Map(), new Map([['users', 'Users']]));
  assert.equal(label, '6443, 30000, 30002');
  assert.equal(words, 'Users to gateway: works, seen from this machine, 6443, 30000, 30002');
});

test('a line with more ports than fit says how many are left, and all of them in words', () => {
  const [bundle] = bundlesOf([hop('a', 'users', 'gateway', { ports: [443, 6443, 30000, 30002, 30004] })]);
  assert.ok(bundle);
  const { label, words } = lineLabel(bundle, new Map(), new Map());
  assert.equal(label, '443, 6443, 30000 +2');
  assert.match(words, /443, 6443, 30000, 30002, 30004$/);
});

test('of very many datacenters the cards stand in a frame, and one line leads there', () => {
  const names = Array.from({ length: 20 }, (_, number) => `dc-${number}`);
  const of = (kind: 'cluster' | 'workers', datacenter: string, parent?: string): TopologyNode => ({
    ...node(`${kind}-of/${datacenter}`, kind, parent),
    datacenter,
    count: 500,
  });
  const topology = {
    aggregated: true,
    nodes: [
      ...[node('users', 'users'), node('seed', 'seed'), node('gateway', 'gateway', 'seed')],
      ...names.flatMap((name) => [of('cluster', name, 'seed'), of('workers', name)]),
    ],
    edges: names.flatMap((name) => [
      hop(`api ${name}`, 'gateway', `cluster-of/${name}`),
      hop(`konnectivity ${name}`, `workers-of/${name}`, 'gateway'),
    ]),
  };
  const drawing = withGroups(topology);
  const bundles = bundlesOf(drawing.edges);
  assert.deepEqual(
    bundles.map(({ id, hops }) => [id, hops.length]),
    [
      ['gateway→group/cluster/seed', 20],
      ['group/workers/seed→gateway', 20],
    ],
  );
  assert.equal(drawing.edges[0]?.title, 'cluster-of/dc-0: api dc-0');
  const { boxes, routes } = layoutOf(
    drawing.nodes,
    bundles.map((bundle) => ({ ...bundle, labelWidth: 100 })),
  );
  assert.equal(routes.size, 2);
  const cards = names.map((name) => boxes.get(`cluster-of/${name}`));
  const frame = boxes.get('group/cluster/seed');
  assert.ok(frame);
  for (const one of cards) assert.ok(one && one.x > frame.x && one.y + one.height < frame.y + frame.height);
  assert.equal(new Set(cards.map((one) => `${one?.x}/${one?.y}`)).size, 20);
});
