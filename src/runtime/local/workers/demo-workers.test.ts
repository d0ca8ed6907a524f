import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import type { Driver } from '../../../control-plane/index.ts';
import { silentLog } from '../../../sys/log.ts';
import { platformHome } from '../home.ts';
import { scratchDirectory } from '../testing/place.ts';
import { createDemoWorkers } from './demo-workers.ts';
import type { DemoProxies } from './proxies/demo-proxies.ts';
import { behindProxy } from './testing/input.ts';

test('attempts neither pile up behind one that takes long nor follow each other at once', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { promise, resolve } = Promise.withResolvers<void>();
  let [attempts, now] = [0, 0];
  const proxies = {
    apply: async () => {
      attempts += 1;
      await promise;
      throw new Error('no proxy');
    },
    drop: async () => {},
  } as never as DemoProxies;
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
  const driver = { remove: async () => {} } as never as Driver;
  const home = platformHome(scratchDirectory(t));
  const workers = createDemoWorkers({ cluster: 'shop', driver, home, proxies, log, now: () => now });
  t.after(() => workers.stop());
  const seconds = async (count: number): Promise<void> => {
    for (let second = 0; second < count; second += 1) {
      now += 1_000;
      t.mock.timers.tick(1_000);
      await settled();
    }
  };
  const first = workers.reconcile(behindProxy());
  await seconds(60);
  resolve();
  await assert.rejects(first, /no proxy/);
  await settled();
  assert.deepEqual([attempts, warnings.length], [2, 1]);
  await seconds(25);
  assert.deepEqual([attempts, warnings.length], [4, 3]);
});
