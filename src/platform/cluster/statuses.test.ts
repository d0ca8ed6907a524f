import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plan } from '../../plan/index.ts';
import { oneClusterModel } from '../../plan/testing/one-cluster.ts';
import { verdictFalse, verdictTrue } from '../../reconcile/index.ts';
import type { SeedGateway } from '../gateway/seed-gateway.ts';
import { StartTracker } from './start-tracker.ts';
import { createStatuses, type StatusFacts } from './statuses.ts';

const external = { controlPlane: { external: { apiServer: ['10.0.0.1:6443'], konnectivity: ['10.0.0.1:8132'] } } };
const model = oneClusterModel({ cluster: external });
const planned = { model, plan: plan(model) };
const gateway = {
  healthy: true,
  isStarting: false,
  problem: undefined,
  clusterProblems: new Map(),
} as unknown as SeedGateway;

test('clusters that something else runs are worked out again when something about them is new', () => {
  const statuses = createStatuses();
  const starts = new StartTracker();
  let ready = false;
  const facts: StatusFacts = {
    planned,
    clusters: model.clusters,
    externalVersion: 1,
    gatewaysWell: true,
    partsOf: () => ({
      gateway,
      hosted: undefined,
      external: ready ? verdictTrue() : verdictFalse('NoAnswer', 'it does not answer'),
      components: [],
      starts,
      now: 0,
      elapsed: 0,
    }),
  };
  const first = statuses(facts);
  assert.deepEqual([first.length, first[0]?.ready], [1, false]);
  assert.equal(statuses({ ...facts }), first);
  ready = true;
  assert.equal(statuses({ ...facts, externalVersion: 2 })[0]?.ready, true);
  const ill = { ...facts, externalVersion: 2, gatewaysWell: false };
  ready = false;
  assert.equal(statuses(ill)[0]?.ready, false);
  ready = true;
  assert.equal(statuses(ill)[0]?.ready, true);
  assert.notEqual(statuses({ ...facts, externalVersion: 2, planned: { ...planned } }), first);
});
