import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createBackoff } from './backoff.ts';

const pauses = (firstMs: number, mostMs: number, random: () => number, count = 12): number[] => {
  const backoff = createBackoff(firstMs, mostMs, random);
  return Array.from({ length: count }, () => backoff.next());
};
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const sizes = fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1_000, max: 60_000 }));

describe('pauses between attempts', () => {
  it('are between half of the pause and the whole, which doubles up to its limit', () => {
    fc.assert(
      fc.property(sizes, fc.array(chance, { minLength: 12, maxLength: 12 }), ([first, most], chances) => {
        let turn = 0;
        pauses(first, most, () => chances[turn++] ?? 0).forEach((pause, attempt) => {
          const whole = Math.min(first * 2 ** attempt, most);
          assert.ok(pause >= whole / 2 && pause <= whole, `${pause} of ${whole}`);
        });
      }),
    );
  });

  it('grow until they are as long as they may be', () => {
    fc.assert(
      fc.property(sizes, chance, ([first, most], same) => {
        const made = pauses(first, most, () => same);
        made.forEach((pause, attempt) => void assert.ok(pause >= (made[attempt - 1] ?? 0)));
        assert.equal(made.at(-1), Math.min(first * 2 ** 11, most) * (0.5 + same / 2));
      }),
    );
  });

  it('of many who begin together are spread over half of the pause, evenly', () => {
    const made = Array.from({ length: 4_000 }, () => pauses(1_000, 1_000, Math.random, 1)[0] as number);
    for (const from of [500, 625, 750, 875]) {
      const share = made.filter((pause) => pause >= from && pause < from + 125).length / made.length;
      assert.ok(share > 0.2 && share < 0.3, `${share} from ${from} ms on`);
    }
  });

  it('are short again after a success', () => {
    const backoff = createBackoff(100, 10_000, () => 0);
    for (let i = 0; i < 5; i++) backoff.next();
    backoff.reset();
    assert.equal(backoff.next(), 50);
  });
});
