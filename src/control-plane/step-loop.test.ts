import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../test/support/gateway/until.ts';
import { StepLoop } from './step-loop.ts';
import type { StepAnswer } from './steps.ts';

const answer = (healthy: boolean): StepAnswer => ({ name: 'a', wanted: 'a', present: true, healthy });

interface Stage {
  readonly loop: StepLoop;
  passes: number;
  healthy: boolean;
  wakeAt: number;
  /** Passes wait for it. */
  gate: Promise<void>;
}

function stageOf(t: TestContext): Stage {
  const stage = { passes: 0, healthy: true, wakeAt: Number.POSITIVE_INFINITY, gate: Promise.resolve() } as Stage;
  const pass = async (): Promise<StepAnswer[]> => {
    stage.passes++;
    await stage.gate;
    return [answer(stage.healthy)];
  };
  const loop = new StepLoop({ pass, wakeAt: () => stage.wakeAt, now: Date.now });
  t.after(() => loop.stop());
  return Object.assign(stage, { loop });
}

describe('a loop of steps', () => {
  it('tries again by itself until all is well', async (t) => {
    const stage = stageOf(t);
    stage.healthy = false;
    await stage.loop.run();
    assert.equal(stage.loop.answers[0]?.healthy, false);
    stage.healthy = true;
    await until(() => stage.loop.answers[0]?.healthy === true);
  });

  it('wakes when something is due', async (t) => {
    const stage = stageOf(t);
    stage.wakeAt = Date.now() + 600;
    await stage.loop.run();
    await until(() => stage.passes > 1);
    assert.ok(Date.now() >= stage.wakeAt - 50);
  });

  it('does not spin on something that is due and stays due', async (t) => {
    const stage = stageOf(t);
    stage.wakeAt = 0;
    const start = Date.now();
    await stage.loop.run();
    await until(() => stage.passes > 2);
    assert.ok(Date.now() - start >= 900);
  });

  it('never runs twice at once, and does what was asked for meanwhile right after', async (t) => {
    const stage = stageOf(t);
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.gate = promise;
    stage.loop.wake();
    for (let asked = 0; asked < 5; asked++) stage.loop.wake();
    assert.equal(stage.passes, 1);
    resolve();
    await until(() => stage.passes === 2);
    await stage.loop.run();
    assert.equal(stage.passes, 3);
  });

  it('tells when an answer is another one, and only then', async (t) => {
    const stage = stageOf(t);
    let told = 0;
    stage.loop.onChange(() => told++);
    await stage.loop.run();
    await stage.loop.run();
    assert.equal(told, 1);
    stage.healthy = false;
    await stage.loop.run();
    assert.equal(told, 2);
  });

  it('does nothing after it was stopped', async (t) => {
    const stage = stageOf(t);
    await stage.loop.stop();
    stage.loop.wake();
    assert.equal(stage.passes, 0);
  });
});
