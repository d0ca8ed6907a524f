import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CausewayError } from '../core/errors.ts';
import { Keeper } from './keeper.ts';

function keeper(bring: (wish: { n: number }) => Promise<void>) {
  const heard = { changes: 0 };
  const kept = new Keeper<{ n: number }>({ bring, changed: () => void heard.changes++, pauseMs: 5 });
  return { kept, heard };
}
const until = async (condition: () => boolean): Promise<void> => {
  for (let i = 0; i < 400 && !condition(); i++) await sleep(5);
  assert.ok(condition());
};

describe('a keeper', () => {
  it('brings the newest wish, and a wish that is the same only once', async () => {
    const brought: number[] = [];
    const { kept } = keeper(async ({ n }) => {
      await sleep(10);
      brought.push(n);
    });
    for (const n of [1, 2, 3]) kept.want({ n });
    await until(() => kept.done);
    kept.want({ n: 3 });
    await sleep(30);
    assert.deepEqual(brought, [1, 3]);
    await kept.stop();
  });

  it('tries again what failed, and says why until it works', async () => {
    let attempts = 0;
    const { kept, heard } = keeper(async () => {
      if (++attempts < 3) throw new CausewayError('CW-TEST', 'the port is taken', 'free it');
    });
    kept.want({ n: 1 });
    await until(() => kept.problem !== undefined);
    assert.deepEqual(kept.problem, { why: 'the port is taken', fix: 'free it' });
    await until(() => kept.done);
    assert.deepEqual([attempts, kept.problem, heard.changes], [3, undefined, 3]);
    await kept.stop();
  });

  it('does nothing any more when it was stopped', async () => {
    let attempts = 0;
    const { kept } = keeper(async () => {
      attempts++;
      throw new Error('no');
    });
    kept.want({ n: 1 });
    await until(() => attempts === 1);
    await kept.stop();
    kept.want({ n: 2 });
    await sleep(30);
    assert.equal(attempts, 1);
  });
});
