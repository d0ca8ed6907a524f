import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CausewayError } from '../core/errors.ts';
import { type Verdict, verdictFalse, verdictTrue } from './condition.ts';
import { runSteps, type Step, StepTimings } from './steps.ts';

const step = (type: string, ensure: () => Promise<Verdict>): Step => ({ type, ensure });
const never = step('Never', () => assert.fail('it must not be reached'));

describe('steps', () => {
  it('are done in order, and each one has a condition of its type', async () => {
    const order: string[] = [];
    const noting = (type: string) =>
      step(type, async () => {
        order.push(type);
        return verdictTrue();
      });
    const conditions = await runSteps([noting('A'), noting('B')]);
    assert.deepEqual(order, ['A', 'B']);
    assert.deepEqual(conditions[1], { type: 'B', status: 'True', reason: 'AsDesired', message: '' });
  });

  it('end at the first that is not True', async () => {
    const waiting = verdictFalse('Starting', 'it is starting');
    assert.deepEqual(await runSteps([step('A', async () => waiting), never]), [{ type: 'A', ...waiting }]);
  });

  it('tell an error together with its fix, also one that is thrown at once', async () => {
    const full = new CausewayError('CW-X', 'the disk is full', 'make room');
    const failed = { type: 'A', status: 'False', reason: 'CW-X', message: 'the disk is full', fix: 'make room' };
    assert.deepEqual(await runSteps([step('A', () => Promise.reject(full)), never]), [failed]);
    const throwing = step('A', () => {
      throw full;
    });
    assert.deepEqual(await runSteps([throwing, never]), [failed]);
  });
});

describe('timings of steps', () => {
  it('count from when a step is waited for until it is done, once', () => {
    const timings = new StepTimings();
    timings.observe('etcd', false, 1000);
    timings.observe('etcd', false, 1500);
    assert.equal(timings.seconds('etcd'), undefined);
    timings.observe('etcd', true, 3250);
    timings.observe('etcd', false, 9000);
    timings.observe('etcd', true, 9500);
    assert.equal(timings.seconds('etcd'), 2.25);
  });

  it('are nothing for a step that was never waited for', () => {
    const timings = new StepTimings();
    timings.observe('gateway', true, 1000);
    assert.equal(timings.seconds('gateway'), 0);
    assert.equal(timings.seconds('workers'), undefined);
  });
});
