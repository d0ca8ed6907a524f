import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Allocations, lockFile, noAllocations } from '../model/index.ts';
import { formatLock, loadFiles } from '../model/load/index.ts';
import { cluster, everything } from '../model/testing/manifests.ts';
import { kubernetesRuntime } from '../plan/index.ts';
import type { ManifestSource } from './manifest-source.ts';
import { manifestReader } from './read-manifests.ts';

/** Objects and what was given out for them, without a directory. */
function inMemory(texts: readonly string[]) {
  let kept: Allocations = noAllocations;
  let writes = 0;
  const files = texts.map((text, at) => ({ path: `${at}.yaml`, text }));
  const source: ManifestSource = {
    place: 'memory',
    load: async () => loadFiles(files, { lock: { path: lockFile, text: formatLock(kept) } }),
    async keep(allocations) {
      kept = allocations;
      writes += 1;
    },
    watch: () => ({ close: () => {} }),
  };
  return { source, kept: () => kept, writes: () => writes };
}

const reader = (source: ManifestSource) => manifestReader(source, { runtime: kubernetesRuntime });

test('what was given out is kept where the manifests come from, once, and is given out again by whoever reads them', async () => {
  const { source, kept, writes } = inMemory(everything);
  const { planned, broken } = await reader(source)();
  assert.ok(planned !== undefined && !broken);
  const { apiServer } = kept().nodePorts.eu?.web ?? {};
  assert.ok(apiServer !== undefined && kept().pools.vips?.gateway?.length === 1, JSON.stringify(kept()));
  const again = await reader(source)();
  assert.equal(writes(), 1);
  assert.deepEqual(again.planned?.plan.addresses, planned.plan.addresses);
});

test('nothing is kept for manifests that have errors', async () => {
  const { source, writes } = inMemory([...everything, cluster('web')]);
  assert.equal((await reader(source)()).broken, true);
  assert.equal(writes(), 0);
});
