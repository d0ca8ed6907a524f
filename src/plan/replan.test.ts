// What a cache holds of the plan before must never be visible: a replan equals a plan that has no cache at all.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { type Allocations, noAllocations } from '../model/index.ts';
import { type Model, strategies } from '../model/schema/index.ts';
import { lockOf } from './addresses/index.ts';
import { buildContext } from './build-context.ts';
import { newCache, noCache, type PlanCache } from './cache.ts';
import { plan, planFromContext } from './plan.ts';
import { reviewPlan } from './rules/index.ts';
import { kubernetesRuntime, type Runtime } from './runtime.ts';
import { arbitraryChange, type Change } from './testing/arbitrary-change.ts';
import { arbitraryModel } from './testing/arbitrary-model.ts';
import { sampleCluster, sampleModel } from './testing/sample-model.ts';

function assertSame(model: Model, lock: Allocations, cache: PlanCache, history: string): void {
  const [again, fresh] = [cache, noCache].map((known) => plan(model, lock, kubernetesRuntime, known));
  assert.deepEqual(again, fresh, history);
  // Texts are compared too, because the order of keys shows in files and diffs.
  assert.equal(JSON.stringify(again), JSON.stringify(fresh), history);
}

const historyOf = (changes: readonly Change[]): string => changes.map((change) => change.name).join('; then ');
const steps = fc.array(arbitraryChange, { minLength: 1, maxLength: 4 });

it('a changed platform is planned as if it were the first', () => {
  fc.assert(
    fc.property(arbitraryModel(), steps, fc.boolean(), (start, changes, locked) => {
      let model = start;
      let lock = noAllocations;
      const cache = newCache();
      plan(model, lock, kubernetesRuntime, cache);
      for (const [i, change] of changes.entries()) {
        if (locked) lock = lockOf(plan(model, lock, kubernetesRuntime, cache).addresses);
        model = change.apply(model);
        assertSame(model, lock, cache, historyOf(changes.slice(0, i + 1)));
      }
    }),
    { numRuns: 200 },
  );
});

it('a change that is taken back leaves no trace', () => {
  fc.assert(
    fc.property(arbitraryModel(), steps, (model, changes) => {
      const cache = newCache();
      const planned = (of: Model) => plan(of, noAllocations, kubernetesRuntime, cache);
      const before = JSON.stringify(planned(model));
      const changed = changes.reduce((now, change) => change.apply(now), model);
      planned(changed);
      assert.equal(JSON.stringify(planned(model)), before, historyOf(changes));
    }),
    { numRuns: 100 },
  );
});

it('another lock for the same documents is planned as if it were the first', () => {
  fc.assert(
    fc.property(arbitraryModel(), (model) => {
      const cache = newCache();
      const lock = lockOf(plan(model, noAllocations, kubernetesRuntime, cache).addresses);
      const locks = [lock, ...movedLocks(lock), { ...lock, pools: {} }, noAllocations];
      for (const next of locks) assertSame(model, next, cache, JSON.stringify(next));
    }),
    { numRuns: 50 },
  );
});

it('another runtime for the same documents is planned as if it were the first', () => {
  const small: Runtime = { name: 'small', mostReplicas: 1, agents: 'one-per-machine' };
  fc.assert(
    fc.property(arbitraryModel(), fc.array(fc.boolean(), { minLength: 2, maxLength: 5 }), (model, turns) => {
      const cache = newCache();
      for (const isSmall of turns) {
        const runtime = isSmall ? small : kubernetesRuntime;
        const fresh = plan(model, noAllocations, runtime, noCache);
        assert.equal(JSON.stringify(plan(model, noAllocations, runtime, cache)), JSON.stringify(fresh));
      }
    }),
    { numRuns: 50 },
  );
});

/** The ports of one cluster, one of its ports, and the addresses of all gateways are others. */
function movedLocks({ pools, nodePorts }: Allocations): Allocations[] {
  const [seed = ''] = Object.keys(nodePorts);
  const withPorts = (apiServer: number, konnectivity: number): Allocations => ({
    pools,
    nodePorts: { ...nodePorts, [seed]: { ...nodePorts[seed], 'cluster-00': { apiServer, konnectivity } } },
  });
  const withGateway = (users: Allocations['pools'][string]) =>
    users.gateway === undefined ? users : { ...users, gateway: ['10.10.8.99'] };
  const elsewhere = Object.fromEntries(Object.entries(pools).map(([pool, users]) => [pool, withGateway(users)]));
  return [withPorts(32000, 32001), withPorts(32000, 32003), { pools: elsewhere, nodePorts }];
}

it('a plan that was handed out is never changed afterwards', () => {
  fc.assert(
    fc.property(arbitraryModel(), steps, (model, changes) => {
      const cache = newCache();
      const first = plan(model, noAllocations, kubernetesRuntime, cache);
      const copy = structuredClone(first);
      const changed = changes.reduce((now, change) => change.apply(now), model);
      plan(changed, noAllocations, kubernetesRuntime, cache);
      assert.deepEqual(first, copy);
    }),
    { numRuns: 100 },
  );
});

it('findings of a changed platform are those of a first review', () => {
  const review = (model: Model, cache: PlanCache) => {
    const context = buildContext(model, noAllocations, kubernetesRuntime, cache);
    return reviewPlan(context, planFromContext(context));
  };
  fc.assert(
    fc.property(arbitraryModel(), steps, (start, changes) => {
      const cache = newCache();
      review(start, cache);
      const model = changes.reduce((now, change) => change.apply(now), start);
      assert.deepEqual(review(model, cache), review(model, noCache), historyOf(changes));
    }),
    { numRuns: 100 },
  );
});

it('one changed cluster costs little (shown, not judged)', (t) => {
  const timed = (work: () => unknown): string => {
    const start = performance.now();
    work();
    return `${(performance.now() - start).toFixed(1)} ms`;
  };
  const clusters = Array.from({ length: 2000 }, (_, i) =>
    sampleCluster(`c${String(i).padStart(4, '0')}`, { exposeStrategy: strategies[i % strategies.length] }),
  );
  const model = sampleModel({ clusters });
  const changed = {
    ...model,
    clusters: clusters.with(1000, sampleCluster('c1000', { limits: { maxConnections: 9 } })),
  };
  const cache = newCache();
  const planned = (of: Model) => timed(() => plan(of, noAllocations, kubernetesRuntime, cache));
  const [first, again] = [planned(model), planned(changed)];
  t.diagnostic(`2000 clusters: ${first}; one changed: ${again}`);
});
