import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
import type { ControlPlaneInput, ObservedNodes } from '../../control-plane/index.ts';
import { CausewayError } from '../../core/errors.ts';
import { type Result, reconciled, verdictFalse, verdictTrue } from '../../reconcile/index.ts';
import type { ControlPlane, DesiredWorkers, WorkerSide } from '../../runtime/platform-runtime.ts';
import { ClusterReconcilers } from './cluster-reconcilers.ts';
import { HostedCluster } from './hosted-cluster.ts';

test('workers get another version only when the control plane has it', async (t) => {
  const told: string[] = [];
  let [ready, followed] = [true, (): void => {}];
  const controlPlane = {
    reconcile: ({ kubernetesVersion }: ControlPlaneInput) => {
      told.push(`control plane ${kubernetesVersion}`);
      return new Promise<Result>((resolve) => {
        followed = () => resolve({ done: ready });
      });
    },
    desireNodes: () => {},
    stop: () => {},
  } as unknown as ControlPlane;
  const workers = {
    reconcile: async ({ kubernetesVersion }: DesiredWorkers) => void told.push(`workers ${kubernetesVersion}`),
    stop: async () => {},
  } as unknown as WorkerSide;
  const hosted = new HostedCluster({ controlPlane, kind: 'demo', workers, state: () => ({ done: true }) });
  const reconcilers = new ClusterReconcilers({ get: () => hosted, changed: () => {} });
  t.after(() => reconcilers.stop());
  const desire = (kubernetesVersion: string): void => {
    const desired = { kubernetesVersion } as unknown;
    reconcilers.desire('shop', desired as ControlPlaneInput, desired as DesiredWorkers);
  };

  desire('1.36.1');
  await until(() => told.includes('control plane 1.36.1'));
  followed();
  await until(() => told.includes('workers 1.36.1'));
  desire('1.36.3');
  await until(() => told.includes('control plane 1.36.3'));
  // The API server is being replaced.
  ready = false;
  followed();
  await until(() => told.length === 4);
  assert.deepEqual(told.slice(2), ['control plane 1.36.3', 'control plane 1.36.3']);
  ready = true;
  followed();
  await until(() => told.includes('workers 1.36.3'));
});

test('a refused change is why the control plane is not ready, until another one is reconciled', async (t) => {
  const controlPlane = {
    reconcile: async ({ kubernetesVersion }: ControlPlaneInput) => {
      if (kubernetesVersion === '1.35.4') throw new CausewayError('CW-VERSION-CHANGE', 'it is older', 'go back');
      return reconciled;
    },
    observe: () => ({ ready: verdictTrue(), conditions: [] }),
    desireNodes: () => {},
  } as unknown as ControlPlane;
  const hosted = new HostedCluster({
    controlPlane,
    kind: 'none',
    state: (of) => reconcilers.state('shop', of),
  });
  const reconcilers = new ClusterReconcilers({ get: () => hosted, changed: () => {} });
  t.after(() => reconcilers.stop());
  const desire = (kubernetesVersion: string): void =>
    reconcilers.desire('shop', { kubernetesVersion } as ControlPlaneInput, {} as DesiredWorkers);
  desire('1.35.4');
  await until(() => hosted.isRefused);
  assert.deepEqual(hosted.controlPlaneReady(), verdictFalse('CW-VERSION-CHANGE', 'it is older', 'go back'));
  desire('1.36.3');
  await until(() => !hosted.isRefused);
  assert.deepEqual(hosted.controlPlaneReady(), verdictTrue());
});

test('what is wrong with a part of the workers is why they are not ready, with its reason and its fix', () => {
  const controlPlane = {
    observe: () => ({ ready: verdictTrue(), conditions: [], nodes: { ready: 2, total: 2, leaving: [] } }),
    desireNodes: () => {},
  } as unknown as ControlPlane;
  const refused = verdictFalse('CW-PROXY-CREDENTIALS', 'the proxy answers 407', 'ask the proxy team');
  const part = { konnectivityAgent: refused, nodes: { ...verdictTrue(), ready: 2, total: 2 } };
  const workers = { look: () => ({ kind: 'demo', ...part }) } as unknown as WorkerSide;
  const hosted = new HostedCluster({ controlPlane, kind: 'demo', workers, state: () => ({ done: true }) });
  assert.deepEqual(hosted.workersReady(), { ...refused, message: 'konnectivity agent: the proxy answers 407' });
});

test('a cluster is ready when its API server has the nodes that are wanted, and no others of our own', () => {
  let nodes: ObservedNodes | undefined;
  const kinds: string[] = [];
  const controlPlane = {
    observe: () => ({ ready: verdictTrue(), conditions: [], nodes }),
    desireNodes: (kind: string) => void kinds.push(kind),
  } as unknown as ControlPlane;
  const good = verdictTrue();
  const seen = { kind: 'demo', konnectivityAgent: good, nodes: { ...good, ready: 2, total: 2 } };
  const workers = { look: () => seen } as unknown as WorkerSide;
  const state = () => ({ done: true });
  const hosted = new HostedCluster({ controlPlane, kind: 'demo', workers, state });
  const without = new HostedCluster({ controlPlane, kind: 'none', state });
  assert.deepEqual(kinds, ['demo', 'none']);
  assert.equal(without.workersReady().status, 'False');
  nodes = { ready: 1, total: 2, leaving: [] };
  assert.deepEqual([hosted.workersReady().status, without.workersReady().status], ['False', 'True']);
  nodes = { ready: 2, total: 3, leaving: ['shop-real'] };
  const reason = 'nodes of other workers are being removed: shop-real';
  assert.deepEqual(hosted.workersReady(), verdictFalse('RemovingNodes', reason));
  nodes = { ready: 2, total: 2, leaving: [] };
  assert.deepEqual(hosted.workersReady(), verdictTrue('NodesReady'));
});
