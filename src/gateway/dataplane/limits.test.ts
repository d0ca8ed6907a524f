import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Limits } from './limits.ts';

const limits = (maxConnections: number, perSecond: number): Limits => {
  const made = new Limits();
  made.configure(maxConnections, perSecond, 0);
  return made;
};
const none = Number.POSITIVE_INFINITY;

/** What the supervisor does every 100 ms: tells each worker the sum of the others. */
function exchange(workers: readonly Limits[]): void {
  const reports = workers.map((worker) => worker.report() ?? ([worker.open, 0] as const));
  workers.forEach((worker, i) => {
    const others = reports.filter((_, j) => j !== i);
    worker.others([others.reduce((sum, [open]) => sum + open, 0), others.reduce((sum, [, n]) => sum + n, 0)]);
  });
}

/** Per interval and worker: how many connections are tried, and how many end. */
const rounds = fc.array(fc.array(fc.record({ tries: fc.nat(12), ends: fc.nat(6) }), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 40,
});

describe('limits of one worker', () => {
  it('never has more open than the maximum', () => {
    const one = limits(2, none);
    assert.deepEqual([one.admit(0), one.admit(0), one.admit(0)], [undefined, undefined, 'too-many-connections']);
    one.release();
    assert.equal(one.admit(0), undefined);
  });

  it('admits one second at once, and then as fast as allowed', () => {
    const one = limits(none, 10);
    for (let i = 0; i < 10; i++) assert.equal(one.admit(0), undefined);
    assert.equal(one.admit(0), 'too-fast');
    assert.equal(one.admit(99), 'too-fast');
    assert.equal(one.admit(200), undefined);
  });

  it('never admits more in a time than its speed allows, plus one second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(300), { maxLength: 300 }), (perSecond, pauses) => {
        const one = limits(none, perSecond);
        let [now, admitted] = [0, 0];
        for (const pause of pauses) {
          now += pause;
          if (one.admit(now) === undefined) admitted++;
        }
        assert.ok(admitted <= perSecond + (now / 1000) * perSecond + 1e-6);
      }),
    );
  });

  it('does not ask for what was admitted before there was a limit', () => {
    const one = limits(none, none);
    for (let i = 0; i < 1000; i++) one.admit(0);
    one.configure(none, 5, 0);
    assert.equal(one.admit(0), undefined);
    assert.deepEqual(one.report(), [1001, 1]);
  });

  it('reports only what changed', () => {
    const one = limits(10, none);
    assert.equal(one.report(), undefined);
    one.admit(0);
    assert.deepEqual(one.report(), [1, 1]);
    assert.equal(one.report(), undefined);
    one.release();
    assert.deepEqual(one.report(), [0, 0]);
  });
});

describe('limits of several workers', () => {
  it('have at most so many open too many as all but one admit in one interval', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 4 }), rounds, (max, count, plan) => {
        const workers = Array.from({ length: count }, () => limits(max, none));
        for (const round of plan) {
          const admitted = workers.map((worker, i) => {
            const { tries, ends } = round[i % round.length] ?? { tries: 0, ends: 0 };
            for (let n = 0; n < ends && worker.open > 0; n++) worker.release();
            return Array.from({ length: tries }, () => worker.admit(0)).filter((why) => why === undefined).length;
          });
          const open = workers.reduce((sum, worker) => sum + worker.open, 0);
          const blind = admitted.reduce((sum, n) => sum + n, 0) - Math.max(...admitted);
          // Others may have been over the limit when the interval began: then nothing is admitted, and they only end.
          assert.ok(open <= max + Math.max(blind, overBefore(workers, admitted, max)));
          exchange(workers);
        }
      }),
    );
  });

  it('pay back what was too fast: over time the speed holds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 4 }), rounds, (perSecond, count, plan) => {
        const workers = Array.from({ length: count }, () => limits(none, perSecond));
        let [now, total, mostInOne] = [0, 0, 0];
        for (const round of plan) {
          const admitted = workers.map((worker, i) => {
            const { tries } = round[i % round.length] ?? { tries: 0 };
            return Array.from({ length: tries }, () => worker.admit(now)).filter((why) => why === undefined).length;
          });
          const sum = admitted.reduce((a, b) => a + b, 0);
          total += sum;
          mostInOne = Math.max(mostInOne, sum - Math.max(...admitted));
          assert.ok(total <= perSecond + (now / 1000) * perSecond + mostInOne + 1e-6);
          exchange(workers);
          now += 100;
        }
      }),
    );
  });
});

const overBefore = (workers: readonly Limits[], admitted: readonly number[], max: number): number =>
  workers.reduce((sum, worker, i) => sum + worker.open - (admitted[i] ?? 0), 0) - max;
