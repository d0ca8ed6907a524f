import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CausewayError } from '../core/errors.ts';
import { ConditionSet, type ConditionStatus, type UntimedCondition, verdictOf } from './condition.ts';

const ready = (status: ConditionStatus, message = ''): UntimedCondition => ({
  type: 'Ready',
  status,
  reason: 'Test',
  message,
});

describe('conditions', () => {
  it('keep their time until their status changes', () => {
    const conditions = new ConditionSet();
    conditions.replace([ready('False', 'etcd starts')], 1000);
    conditions.replace([ready('False', 'the API server starts')], 2000);
    assert.deepEqual(conditions.get('Ready'), { ...ready('False', 'the API server starts'), since: 1000 });
    conditions.replace([ready('True')], 3000);
    assert.equal(conditions.get('Ready')?.since, 3000);
  });

  it('are the same list as long as they say the same', () => {
    const conditions = new ConditionSet();
    const first = conditions.replace([ready('True')], 1000);
    assert.equal(conditions.replace([ready('True')], 2000), first);
    assert.notEqual(conditions.replace([ready('True', 'with a warning')], 3000), first);
  });

  it('have a time that is the first of an unbroken run of their status, whatever is observed', () => {
    const status = fc.constantFrom<ConditionStatus>('True', 'False', 'Unknown');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.option(status, { nil: undefined }), fc.string()), { minLength: 1 }), (seen) => {
        const conditions = new ConditionSet();
        let run: { status: ConditionStatus; since: number } | undefined;
        for (const [at, [next, message]] of seen.entries()) {
          conditions.replace(next === undefined ? [] : [ready(next, message)], at);
          if (next === undefined) run = undefined;
          else if (run?.status !== next) run = { status: next, since: at };
          assert.equal(conditions.get('Ready')?.since, run?.since);
        }
      }),
    );
  });

  it('take code, message and fix of an error', () => {
    const failed = { status: 'False', reason: 'CW-X', message: 'the disk is full', fix: 'make room' };
    assert.deepEqual(verdictOf(new CausewayError('CW-X', 'the disk is full', 'make room')), failed);
    assert.deepEqual(verdictOf(new Error('no')), { status: 'False', reason: 'Failed', message: 'no' });
    assert.equal(verdictOf(new Error('no'), 'it is tried again').fix, 'it is tried again');
  });
});
