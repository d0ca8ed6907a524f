// Whatever is desired, forgotten, woken, and whatever attempts come to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Reconciler, type Result, reconciled } from './reconciler.ts';
import { FakeClock, settled } from './testing/fake-clock.ts';

const key = fc.constantFrom('a', 'b');
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('desire' as const), key, value: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('wake' as const, 'run' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), key }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('succeed' as const, 'fail' as const, 'wait' as const), key }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('advance' as const), value: fc.nat(40_000) }) },
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

/** Attempts end when a test says so, and never two of one key at once. */
class Attempts {
  readonly running = new Map<string, { readonly desired: number; readonly end: (result: Result | Error) => void }>();
  readonly reconciled = new Map<string, number>();
  readonly desired = new Map<string, number>();
  readonly wrong: string[] = [];

  reconcile(name: string, desired: number): Promise<Result> {
    if (this.running.has(name)) this.wrong.push(`two attempts of ${name} at once`);
    if (desired !== this.desired.get(name)) this.wrong.push('an attempt begins with a desired state that is old');
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const end = (result: Result | Error): void => {
      this.running.delete(name);
      if (!(result instanceof Error) && result.done) this.reconciled.set(name, desired);
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    this.running.set(name, { desired, end });
    return promise;
  }
}

function take(one: Action, reconciler: Reconciler<number>, attempts: Attempts, clock: FakeClock): void {
  if (one.do === 'desire') {
    attempts.desired.set(one.key, one.value);
    reconciler.desire(one.key, one.value);
  } else if (one.do === 'forget') {
    attempts.desired.delete(one.key);
    attempts.reconciled.delete(one.key);
    void reconciler.forget(one.key);
  } else if (one.do === 'wake') reconciler.wake(one.key);
  else if (one.do === 'run') void reconciler.run(one.key);
  else if (one.do === 'advance') clock.advance(one.value);
  else attempts.running.get(one.key)?.end(resultOf[one.do]());
}

const resultOf = {
  succeed: (): Result => reconciled,
  fail: (): Error => new Error('it failed'),
  wait: (): Result => ({ done: false }),
};

test('the last desired state of every key is reconciled, by one attempt at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(action, fc.boolean()), { maxLength: 40 }), async (actions) => {
      const [clock, attempts] = [new FakeClock(), new Attempts()];
      const reconciler = new Reconciler<number>({
        clock,
        reconcile: (name, desired) => attempts.reconcile(name, desired),
      });
      for (const [one, isSettled] of actions) {
        take(one, reconciler, attempts, clock);
        if (isSettled) await settled();
      }
      for (let round = 0; round < 4; round++) {
        await settled();
        for (const { end } of [...attempts.running.values()]) end(reconciled);
        await settled();
        clock.advance(30_000);
      }
      assert.deepEqual(attempts.wrong, []);
      assert.deepEqual(attempts.running.size, 0);
      for (const [name, desired] of attempts.desired) {
        assert.equal(attempts.reconciled.get(name), desired, `${name} is as it is desired`);
        assert.deepEqual(reconciler.state(name), { done: true });
      }
      await reconciler.stop();
      assert.deepEqual(clock.pending, []);
    }),
    { numRuns: 300 },
  );
});

test('pauses grow with every failure up to the longest, with jitter, and begin anew with a success or another desired state', async () => {
  const outcome = fc.constantFrom(
    'fail' as const,
    'fail' as const,
    'fail' as const,
    'succeed' as const,
    'desire' as const,
  );
  const longestMs = fc.integer({ min: 1, max: 6 }).map((doublings) => 100 * 2 ** doublings);
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcome, { maxLength: 25 }),
      longestMs,
      fc.noShrink(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }))),
      async (outcomes, longest, chance) => {
        const clock = new FakeClock();
        let fails = true;
        let desired = 0;
        const reconciler = new Reconciler<number>({
          clock,
          random: () => chance.next().value as number,
          backoff: { firstMs: 100, longestMs: longest },
          reconcile: async () => {
            if (fails) throw new Error('it failed');
            return reconciled;
          },
        });
        let expected = 100;
        for (const one of ['desire', ...outcomes]) {
          fails = one !== 'succeed';
          if (one === 'desire') {
            expected = 100;
            reconciler.desire('a', ++desired);
          } else reconciler.wake('a');
          await settled();
          const [pause = 0, ...others] = clock.pending;
          assert.deepEqual(others, []);
          if (one === 'succeed') {
            assert.equal(pause, 0);
            expected = 100;
            continue;
          }
          assert.ok(
            pause >= expected / 2 && pause <= expected,
            `${pause} is not between half of ${expected} and all of it`,
          );
          expected = Math.min(expected * 2, longest);
        }
        await reconciler.stop();
      },
    ),
    { numRuns: 100 },
  );
});
