import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
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
    look: () => ({ ready }),
    stop: () => {},
  } as unknown as ControlPlane;
  const workers = {
    reconcile: async ({ kubernetesVersion }: WorkerWish) => void told.push(`workers ${kubernetesVersion}`),
    stop: async () => {},
  } as unknown as WorkerSide;
  const ports = {} as ManagedRunner['ports'];
  const runner = new ManagedRunner({ ports, controlPlane, workers, changed: () => {} });
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
