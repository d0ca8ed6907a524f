import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CausewayError } from '../core/errors.ts';
import { done, type Outcome, runSteps, type Step } from './steps.ts';

const step = (name: string, ensure: () => Promise<Outcome>): Step => ({ name, wanted: `a ${name}`, ensure });
const never = step('never', () => assert.fail('it must not be reached'));

describe('steps', () => {
  it('are done in order, and each one tells what it is for', async () => {
    const order: string[] = [];
    const noting = (name: string) =>
      step(name, async () => {
        order.push(name);
        return done;
      });
    const answers = await runSteps([noting('a'), noting('b')]);
    assert.deepEqual(order, ['a', 'b']);
    assert.deepEqual(answers[1], { name: 'b', wanted: 'a b', present: true, healthy: true });
  });

  it('end at the first that is not healthy', async () => {
    const waiting = { present: true, healthy: false, why: 'it is starting' };
    const answers = await runSteps([step('a', async () => waiting), never]);
    assert.deepEqual(answers, [{ name: 'a', wanted: 'a a', ...waiting }]);
  });

  it('tell a mistake together with its fix', async () => {
    const failing = step('a', () => Promise.reject(new CausewayError('CW-X', 'the disk is full', 'make room')));
    const [answer] = await runSteps([failing, never]);
    assert.deepEqual([answer?.healthy, answer?.why, answer?.next], [false, 'the disk is full', 'make room']);
  });
});
