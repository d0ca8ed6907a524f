import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exposition } from '../../net/index.ts';
import { LimitExchange } from './limit-exchange.ts';
import { ChangedSeries, type GatewayFigures, gatewayFamilies, seriesOf, Totals } from './metrics.ts';
import { fileLimitProblem, openFileLimit } from './process-limits.ts';

test('counters never go back, whoever ends and whoever begins', () => {
  const step = fc.record({ worker: fc.nat(3), more: fc.nat(5), ends: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const totals = new Totals();
      const workers = [0, 1, 2, 3].map(() => ({ id: {}, count: 0 }));
      let expected = 0;
      for (const { worker, more, ends } of steps) {
        const one = workers[worker] ?? assert.fail();
        one.count += more;
        expected += more;
        totals.report(one.id, { 'connections a apiServer': one.count, 'open a apiServer': 1 });
        if (ends) {
          totals.ended(one.id);
          Object.assign(one, { id: {}, count: 0 });
        }
        assert.equal(totals.sum().get('connections a apiServer'), expected);
      }
    }),
  );
});

test('what was open in a worker that ended is not open any more', () => {
  const totals = new Totals();
  const worker = {};
  totals.report(worker, { 'open a apiServer': 3, 'half-open': 2, 'sent a apiServer': 9 });
  totals.ended(worker);
  assert.deepEqual([...totals.sum()], [['sent a apiServer', 9]]);
});

test('a removed cluster is forgotten, the others are not', () => {
  const totals = new Totals();
  totals.report(
    {},
    { 'sent a apiServer': 1, 'refusals a apiServer  too-fast': 1, 'sent b apiServer': 1, 'half-open': 0 },
  );
  totals.forget(new Set(['a']));
  assert.deepEqual([...totals.sum().keys()], ['sent b apiServer', 'half-open']);
});

test('only what changed is told, and what vanished is not open any more', () => {
  const changed = new ChangedSeries();
  assert.deepEqual(changed.since({ 'open a apiServer': 1, 'sent a apiServer': 5 }), {
    'open a apiServer': 1,
    'sent a apiServer': 5,
  });
  assert.deepEqual(changed.since({ 'open a apiServer': 1, 'sent a apiServer': 7 }), { 'sent a apiServer': 7 });
  assert.deepEqual(changed.since({}), { 'open a apiServer': 0 });
});

test('each worker learns what the others did, once, and nothing where nothing happened', () => {
  const exchange = new LimitExchange<string>();
  for (const worker of ['x', 'y', 'z']) exchange.add(worker);
  exchange.report('x', { a: [3, 2] });
  exchange.report('y', { a: [1, 1] });
  exchange.report('y', { a: [2, 1] });
  assert.deepEqual(Object.fromEntries(exchange.round()), {
    x: { a: [2, 2] },
    y: { a: [3, 2] },
    z: { a: [5, 4] },
  });
  assert.deepEqual([...exchange.round()], []);
  exchange.remove('x');
  assert.deepEqual(Object.fromEntries(exchange.round()), { y: { a: [0, 0] }, z: { a: [2, 0] } });
  exchange.add('new');
  assert.deepEqual(Object.fromEntries(exchange.round()).new, { a: [2, 0] });
});

const figures = (series: Record<string, number>): GatewayFigures => ({
  series: new Map(Object.entries(series)),
  version: '7 "quoted" \\ \n',
  rejected: true,
  appliedAt: 1500,
  workersWanted: 2,
  workersReady: 1,
  workerRestarts: 3,
  memory: [{ process: 'supervisor', bytes: 1 }],
  listeners: 4,
});

const service = { connections: 4, open: 1, sent: 10, received: 20, refusals: { 'too-fast': 2 } };
const idle = { connections: 0, open: 0, sent: 0, received: 0, refusals: {} };
const counted = seriesOf({
  clusters: { a: { apiServer: service, konnectivity: idle } },
  refusals: { sni: { 'unknown-sni': 5 } },
  held: 0,
  halfOpen: 6,
  open: 1,
});

test('metrics carry cluster, service, direction and reason', () => {
  const lines = exposition(gatewayFamilies(figures(counted))).split('\n');
  for (const line of [
    'causeway_gateway_connections_total{cluster="a",service="apiServer"} 4',
    'causeway_gateway_connections_open{cluster="a",service="apiServer"} 1',
    'causeway_gateway_bytes_total{cluster="a",service="apiServer",direction="received"} 20',
    'causeway_gateway_refusals_total{reason="too-fast",cluster="a",service="apiServer"} 2',
    'causeway_gateway_refusals_total{reason="unknown-sni",listener="sni"} 5',
    'causeway_gateway_half_open 6',
    'causeway_gateway_snapshot_rejected 1',
    'causeway_gateway_worker_restarts_total 3',
  ])
    assert.ok(lines.includes(line), line);
});

test('a limit of open files that is too low is told with what it is enough for', () => {
  assert.equal(fileLimitProblem({ files: 1_000_000, listeners: 10 }), undefined);
  const problem = fileLimitProblem({ files: 1024, listeners: 4 });
  assert.match(problem?.message ?? '', /1024 files.*414 connections/);
  assert.match(problem?.fix ?? '', /ulimit -n \d+.*LimitNOFILE/);
});

test('the limit of this process is known on Linux', { skip: process.platform !== 'linux' }, () => {
  assert.ok((openFileLimit() ?? Number.POSITIVE_INFINITY) > 100);
});
