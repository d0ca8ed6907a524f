import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ComponentPhase, Observed } from '../../control-plane/index.ts';
import { plan } from '../../plan/index.ts';
import { oneClusterModel } from '../../plan/testing/one-cluster.ts';
import { verdictFalse, verdictTrue } from '../../reconcile/index.ts';
import type { SeedGateway } from '../gateway/seed-gateway.ts';
import { type ClusterParts, clusterStatus } from './cluster-status.ts';
import type { HostedCluster } from './hosted-cluster.ts';
import { StartTracker } from './start-tracker.ts';

const model = oneClusterModel({});
const planned = { model, plan: plan(model) };
const [cluster] = model.clusters;
const gateway = { healthy: true, isStarting: false, problem: undefined, clusterProblems: new Map() };
const etcd = (phase: ComponentPhase, restarts = 0): Observed => ({
  scope: 'cluster/web',
  name: 'etcd',
  phase,
  healthy: phase === 'healthy',
  why: 'it ended (exit code 1)',
  since: 0,
  restarts,
});

/** Of a managed cluster whose control plane is not ready. */
function phaseOf(components: readonly Observed[], changes: Partial<ClusterParts> = {}) {
  const starting = verdictFalse('Starting', 'etcd: it is starting', 'wait');
  const controlPlane = { observe: () => ({ ready: starting, conditions: [] }) };
  const hosted = {
    controlPlaneReady: () => starting,
    workersReady: () => verdictTrue(),
    isRefused: false,
    observedNodes: () => undefined,
    observedWorkers: () => undefined,
    controlPlane,
  } as unknown as HostedCluster;
  const parts = { gateway: gateway as unknown as SeedGateway, hosted, external: undefined, components };
  assert.ok(cluster);
  return clusterStatus(planned, cluster, { ...parts, starts: new StartTracker(), now: 0, elapsed: 0, ...changes });
}

describe('a cluster that is not ready', () => {
  it('is starting, with its reason, what happens next, and its steps', () => {
    const { phase, ready, reason, fix, steps } = phaseOf([etcd('starting')]);
    assert.deepEqual([phase, ready, reason, fix], ['starting', false, 'etcd: it is starting', 'wait']);
    assert.equal(steps?.find(({ state }) => state === 'active')?.name, 'certificates');
  });

  it('fails when a program cannot be had, or has ended again and again, also while it is tried once more', () => {
    assert.equal(phaseOf([etcd('failed')]).phase, 'failing');
    assert.equal(phaseOf([etcd('restarting', 1)]).phase, 'starting');
    assert.equal(phaseOf([etcd('restarting', 3)]).phase, 'failing');
    assert.equal(phaseOf([etcd('starting', 3)]).phase, 'failing');
    assert.equal(phaseOf([etcd('healthy', 3)]).phase, 'starting');
  });

  it('fails when its gateway was tried and cannot serve it, and not before', () => {
    const taken = { ...gateway, healthy: false, problem: verdictFalse('Taken', 'the port is taken', 'free it') };
    const at = (isStarting: boolean) => ({ gateway: { ...taken, isStarting } as unknown as SeedGateway });
    assert.equal(phaseOf([], at(false)).phase, 'failing');
    assert.equal(phaseOf([], at(true)).phase, 'starting');
  });
});
