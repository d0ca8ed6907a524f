import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TopologyEdge, TopologyNode } from '../../api/types.ts';
import { bundlesOf, healthOfBundle, paceOfBundle, portsOfBundle } from './bundles.ts';
import { positionsOf } from './layout.ts';

const node = (id: string, kind: TopologyNode['kind']): TopologyNode => ({ id, kind, title: id });
const hop = (id: string, from: string, to: string, more: Partial<TopologyEdge> = {}): TopologyEdge => ({
  id,
  from,
  to,
  title: id,
  ...more,
});

const nodes = [
  node('users', 'users'),
  node('workers/a', 'workers'),
  node('workers/b', 'workers'),
  node('proxy', 'proxy'),
  node('gateway', 'gateway'),
  node('cluster/a', 'cluster'),
  node('cluster/b', 'cluster'),
];
const lines = [
  { from: 'users', to: 'gateway' },
  { from: 'workers/a', to: 'gateway' },
  { from: 'workers/b', to: 'proxy' },
  { from: 'proxy', to: 'gateway' },
  { from: 'gateway', to: 'cluster/a' },
  { from: 'gateway', to: 'cluster/b' },
];

test('connections run from left to right, and nodes of a kind stand in one column', () => {
  const places = positionsOf(nodes, lines);
  const x = (id: string): number => places.get(id)?.x ?? Number.NaN;
  for (const { from, to } of lines) assert.ok(x(from) < x(to), `${from} is left of ${to}`);
  assert.equal(x('workers/a'), x('workers/b'));
  assert.equal(x('workers/a'), x('users'));
  assert.equal(x('cluster/a'), x('cluster/b'));
});

test('no node covers another, and a line to nowhere is left out', () => {
  const places = [...positionsOf(nodes, [...lines, { from: 'users', to: 'nowhere' }]).values()];
  assert.equal(places.length, nodes.length);
  assert.equal(new Set(places.map(({ x, y }) => `${x}/${y}`)).size, nodes.length);
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
    hop('a', 'x', 'y', { address: '127.0.0.1:6443' }),
    hop('b', 'x', 'y', { address: '[::1]:6443' }),
    hop('c', 'x', 'y', { address: 'tunnel.example.com:8088' }),
  ]);
  assert.ok(bundle);
  assert.deepEqual(portsOfBundle(bundle), ['6443', '8088']);
  assert.equal(paceOfBundle(bundle, new Map()), undefined);
  const rates = new Map([
    ['a', { in: 1, out: 2 }],
    ['c', { in: 10, out: 0 }],
  ]);
  assert.equal(paceOfBundle(bundle, rates), 13);
});
