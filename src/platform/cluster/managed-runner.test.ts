import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
import type { NodesSeen } from '../../control-plane/cluster-nodes.ts';
import type { ControlPlaneInput } from '../../control-plane/control-plane.ts';
import type { ControlPlane, WorkerSide, WorkerWish } from '../parts.ts';
import { ManagedRunner } from './managed-runner.ts';

test('workers get another version only when the control plane has it', async (t) => {
  const told: string[] = [];
  let [ready, followed] = [true, (): void => {}];
  const controlPlane = {
    reconcile: ({ kubernetesVersion }: ControlPlaneInput) => {
      told.push(`control plane ${kubernetesVersion}`);
      return new Promise<void>((resolve) => {
        followed = resolve;
      });
    },
    look: () => ({ ready, nodes: { ready: 0, total: 0, leaving: [] } }),
    ownNodes: () => {},
    stop: () => {},
  } as unknown as ControlPlane;
  const workers = {
    reconcile: async ({ kubernetesVersion }: WorkerWish) => void told.push(`workers ${kubernetesVersion}`),
    stop: async () => {},
  } as unknown as WorkerSide;
  const ports = {} as ManagedRunner['ports'];
  const runner = new ManagedRunner({ ports, controlPlane, kind: 'demo', workers, changed: () => {} });
  t.after(() => runner.stop());
  const want = (kubernetesVersion: string): void => {
    const wish = { kubernetesVersion } as unknown;
    runner.want(wish as ControlPlaneInput, wish as WorkerWish);
  };

  want('1.36.1');
  followed();
  await until(() => told.includes('workers 1.36.1'));
  want('1.36.3');
  // It still tells of the version before, because it has not looked yet.
  await until(() => told.includes('control plane 1.36.3'));
  ready = false;
  followed();
  await new Promise(setImmediate);
  assert.deepEqual(told.slice(2), ['control plane 1.36.3']);
  ready = true;
  await until(() => told.includes('workers 1.36.3'));
});

test('a cluster is ready when its API server has the nodes that are wanted, and no others of our own', () => {
  let nodes: NodesSeen | undefined;
  const kinds: string[] = [];
  const controlPlane = {
    look: () => ({ ready: true, nodes }),
    ownNodes: (kind: string) => void kinds.push(kind),
  } as unknown as ControlPlane;
  const good = { healthy: true };
  const seen = { kind: 'demo', konnectivityAgent: good, nodes: { ...good, ready: 2, total: 2 } };
  const workers = { look: () => seen } as unknown as WorkerSide;
  const ports = {} as ManagedRunner['ports'];
  const runner = new ManagedRunner({ ports, controlPlane, kind: 'demo', workers, changed: () => {} });
  const without = new ManagedRunner({ ports, controlPlane, kind: 'none', changed: () => {} });
  assert.deepEqual(kinds, ['demo', 'none']);
  assert.equal(without.workersState().ready, false);
  nodes = { ready: 1, total: 2, leaving: [] };
  assert.deepEqual([runner.workersState().ready, without.workersState().ready], [false, true]);
  nodes = { ready: 2, total: 3, leaving: ['shop-real'] };
  const reason = 'nodes of other workers are being removed: shop-real';
  assert.deepEqual(runner.workersState(), { ready: false, reason });
  nodes = { ready: 2, total: 2, leaving: [] };
  assert.deepEqual(runner.workersState(), { ready: true });
});
