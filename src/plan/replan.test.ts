// What a plan remembers of the one before must never be visible, whatever changed in between.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { type Allocations, noAllocations } from '../model/allocations.ts';
import type { Model } from '../model/schema/index.ts';
import { strategies } from '../model/schema/inherited.ts';
import { lockOf } from './addresses/index.ts';
import { buildContext } from './build-context.ts';
import { plan, planFromContext } from './index.ts';
import { reviewPlan } from './rules/index.ts';
import { kubernetesRuntime, type Runtime } from './runtime.ts';
import { arbitraryChange, type Change } from './testing/arbitrary-change.ts';
import { arbitraryModel } from './testing/arbitrary-model.ts';
import { sampleCluster, sampleModel } from './testing/sample-model.ts';

/** The same documents as new objects: nothing that is remembered applies to them. */
const fromScratch = (model: Model, lock: Allocations) => plan(structuredClone(model), structuredClone(lock));

function assertSame(model: Model, lock: Allocations, history: string): void {
  const [again, fresh] = [plan(model, lock), fromScratch(model, lock)];
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
      plan(model, lock);
      for (const [i, change] of changes.entries()) {
        if (locked) lock = lockOf(plan(model, lock).addresses);
        model = change.apply(model);
        assertSame(model, lock, historyOf(changes.slice(0, i + 1)));
      }
    }),
    { numRuns: 200 },
  );
});

it('a change that is taken back leaves no trace', () => {
  fc.assert(
    fc.property(arbitraryModel(), steps, (model, changes) => {
      const before = JSON.stringify(plan(model));
      const changed = changes.reduce((now, change) => change.apply(now), model);
      plan(changed);
      assert.equal(JSON.stringify(plan(model)), before, historyOf(changes));
    }),
    { numRuns: 100 },
  );
});

it('another lock for the same documents is planned as if it were the first', () => {
  fc.assert(
    fc.property(arbitraryModel(), (model) => {
      const lock = lockOf(plan(model).addresses);
      const locks = [lock, ...movedLocks(lock), { ...lock, pools: {} }, noAllocations];
      for (const next of locks) assertSame(model, next, JSON.stringify(next));
    }),
    { numRuns: 50 },
  );
});

it('another runtime for the same documents is planned as if it were the first', () => {
  const small: Runtime = { name: 'small', mostReplicas: 1, agents: 'one-per-machine' };
  fc.assert(
    fc.property(arbitraryModel(), fc.array(fc.boolean(), { minLength: 2, maxLength: 5 }), (model, turns) => {
      for (const isSmall of turns) {
        const runtime = isSmall ? small : kubernetesRuntime;
        const fresh = plan(structuredClone(model), noAllocations, { ...runtime });
        assert.equal(JSON.stringify(plan(model, noAllocations, runtime)), JSON.stringify(fresh));
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
      const first = plan(model);
      const copy = structuredClone(first);
      plan(changes.reduce((now, change) => change.apply(now), model));
      assert.deepEqual(first, copy);
    }),
    { numRuns: 100 },
  );
});

it('findings of a changed platform are those of a first review', () => {
  const review = (model: Model) => {
    const context = buildContext(model, noAllocations);
    return reviewPlan(context, planFromContext(context));
  };
  fc.assert(
    fc.property(arbitraryModel(), steps, (start, changes) => {
      review(start);
      const model = changes.reduce((now, change) => change.apply(now), start);
      assert.deepEqual(review(model), review(structuredClone(model)), historyOf(changes));
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
  const [first, again] = [timed(() => plan(model)), timed(() => plan(changed))];
  t.diagnostic(`2000 clusters: ${first}; one changed: ${again}`);
});
