import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CausewayError } from '../core/errors.ts';
import { Reconciler, type ReconcilerOptions, type Result, reconciled } from './reconciler.ts';
import { FakeClock, settled } from './testing/fake-clock.ts';

interface Stage {
  readonly reconciler: Reconciler<number>;
  readonly clock: FakeClock;
  /** Desired states of attempts, in order. */
  readonly attempts: number[];
  readonly changes: string[];
  /** What attempts come to from now on. */
  result: Result | Error;
}

function stageOf(options: Partial<ReconcilerOptions<number>> = {}): Stage {
  const clock = new FakeClock();
  const stage = { clock, attempts: [] as number[], changes: [] as string[], result: { done: true } } as Stage;
  const reconciler = new Reconciler<number>({
    clock,
    random: () => 1,
    changed: (key) => void stage.changes.push(key),
    async reconcile(_key, desired) {
      stage.attempts.push(desired);
      if (stage.result instanceof Error) throw stage.result;
      return stage.result;
    },
    ...options,
  });
  return Object.assign(stage, { reconciler });
}

describe('a reconciler', () => {
  it('reconciles the newest desired state, and one that is the same only once', async () => {
    const { reconciler, attempts } = stageOf();
    for (const n of [1, 2, 3]) reconciler.desire('a', n);
    await settled();
    reconciler.desire('a', 3);
    await settled();
    assert.deepEqual(attempts, [3]);
    assert.deepEqual(reconciler.state('a'), { done: true });
  });

  it('tries again what failed, later each time, and says why until it is done', async () => {
    const stage = stageOf();
    const { reconciler, clock, attempts, changes } = stage;
    stage.result = new CausewayError('CW-TEST', 'the port is taken', 'free it');
    reconciler.desire('a', 1);
    await settled();
    const failure = { status: 'False', reason: 'CW-TEST', message: 'the port is taken', fix: 'free it' };
    assert.deepEqual(reconciler.state('a'), { done: false, failure });
    assert.deepEqual(clock.pending, [1000]);
    clock.advance(1000);
    await settled();
    assert.deepEqual(clock.pending, [2000]);
    stage.result = { done: true };
    clock.advance(2000);
    await settled();
    assert.deepEqual([attempts.length, reconciler.state('a')], [3, { done: true }]);
    // Told when it failed and when it was done, and not when it failed for the same reason again.
    assert.deepEqual(changes, ['a', 'a']);
    assert.deepEqual(clock.pending, []);
  });

  it('begins anew with short pauses where an attempt got further', async () => {
    const stage = stageOf({ backoff: { firstMs: 500, longestMs: 15_000 } });
    const { reconciler, clock } = stage;
    stage.result = { done: false };
    reconciler.desire('a', 1);
    await settled();
    clock.advance(500);
    await settled();
    assert.deepEqual(clock.pending, [1000]);
    stage.result = { done: false, progress: true };
    clock.advance(1000);
    await settled();
    assert.deepEqual(clock.pending, [500]);
  });

  it('comes back after the time that an attempt asked for', async () => {
    const stage = stageOf();
    const { reconciler, clock, attempts } = stage;
    stage.result = { done: true, requeueAfterMs: 60_000 };
    reconciler.desire('a', 1);
    await settled();
    assert.deepEqual(clock.pending, [60_000]);
    stage.result = { done: false, requeueAfterMs: 300 };
    clock.advance(60_000);
    await settled();
    assert.deepEqual([attempts.length, clock.pending, reconciler.state('a').done], [2, [300], false]);
  });

  it('makes one more attempt after the running one for all that is asked for meanwhile', async () => {
    const first = Promise.withResolvers<void>();
    const seen: number[] = [];
    const { reconciler } = stageOf({
      async reconcile(_key, desired) {
        seen.push(desired);
        if (seen.length === 1) await first.promise;
        return reconciled;
      },
    });
    reconciler.desire('a', 1);
    await settled();
    for (const n of [2, 3]) reconciler.desire('a', n);
    reconciler.wake('a');
    await settled();
    assert.deepEqual(seen, [1]);
    first.resolve();
    await settled();
    assert.deepEqual(seen, [1, 3]);
  });

  it('runs an attempt that begins after it was asked for, and waits for it', async () => {
    const { reconciler, attempts } = stageOf();
    reconciler.desire('a', 1);
    await reconciler.run('a');
    assert.equal(attempts.length, 2);
    await reconciler.run('a');
    assert.equal(attempts.length, 3);
    await reconciler.run('unknown');
  });

  it('does nothing any more when it was stopped, and waits for the attempt that runs', async () => {
    const attempt = Promise.withResolvers<void>();
    const { reconciler, clock } = stageOf({
      reconcile: () => attempt.promise.then(() => ({ done: false })),
    });
    reconciler.desire('a', 1);
    await settled();
    let isStopped = false;
    const stopping = reconciler.stop().then(() => {
      isStopped = true;
    });
    await settled();
    assert.equal(isStopped, false);
    attempt.resolve();
    await stopping;
    assert.deepEqual(clock.pending, []);
    reconciler.desire('a', 2);
    reconciler.wake('a');
    await settled();
    assert.deepEqual(clock.pending, []);
  });

  it('starts a key that comes back only when the attempt from before it was forgotten has ended', async () => {
    const before = Promise.withResolvers<void>();
    const seen: number[] = [];
    const { reconciler } = stageOf({
      async reconcile(_key, desired) {
        seen.push(desired);
        if (desired === 1) await before.promise;
        return reconciled;
      },
    });
    reconciler.desire('a', 1);
    await settled();
    const forgotten = reconciler.forget('a');
    reconciler.desire('a', 2);
    await settled();
    assert.deepEqual(seen, [1]);
    before.resolve();
    await forgotten;
    await settled();
    assert.deepEqual(seen, [1, 2]);
  });
});
