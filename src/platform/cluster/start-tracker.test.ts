import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StartStep } from '../view.ts';
import { StartTracker, startLimitMs } from './start-tracker.ts';

const notReady = { ready: false };

describe('a start', () => {
  it('tells how long each of its steps was waited for, also when it is over', () => {
    const starts = new StartTracker();
    const step = (name: string, state: StartStep['state']): StartStep => ({ name, title: name, state });
    starts.phaseOf('shop', notReady, 0);
    starts.timed('shop', [step('etcd', 'active'), step('api-server', 'waiting'), step('gateway', 'done')], 1000);
    const { steps } = starts.timed(
      'shop',
      [step('etcd', 'done'), step('api-server', 'active'), step('gateway', 'done')],
      3260,
    );
    assert.deepEqual(
      steps?.map(({ name, seconds }) => [name, seconds]),
      [
        ['etcd', 2.3],
        ['api-server', undefined],
        ['gateway', 0],
      ],
    );
    assert.equal(starts.timings('shop'), undefined);
    starts.phaseOf('shop', { ready: true }, 4000);
    const done = ['etcd', 'api-server', 'gateway'].map((name) => step(name, 'done'));
    const over = starts.timed('shop', done, 4000);
    const timings = [
      { name: 'etcd', title: 'etcd', seconds: 2.3 },
      { name: 'api-server', title: 'api-server', seconds: 0.7 },
      { name: 'gateway', title: 'gateway', seconds: 0 },
    ];
    assert.deepEqual(over, { timings });
    assert.deepEqual(starts.timings('shop'), timings);
  });
});

describe('what does not work', () => {
  it('is starting until it has worked once, and fails when it stops working', () => {
    const starts = new StartTracker();
    assert.equal(starts.phaseOf('shop', notReady, 0), 'starting');
    assert.equal(starts.wasReady('shop'), false);
    assert.equal(starts.phaseOf('shop', { ready: true }, 1000), 'ready');
    assert.equal(starts.phaseOf('shop', notReady, 2000), 'failing');
    assert.equal(starts.phaseOf('shop', { ready: true }, 3000), 'ready');
    assert.equal(starts.wasReady('shop'), true);
  });

  it('fails when its start takes too long, without the time in which programs are fetched', () => {
    const starts = new StartTracker();
    starts.phaseOf('shop', notReady, 0);
    const fetched = 10 * startLimitMs;
    assert.equal(starts.phaseOf('shop', { ready: false, getting: true }, fetched), 'starting');
    assert.equal(starts.phaseOf('shop', notReady, fetched + startLimitMs - 1), 'starting');
    assert.equal(starts.phaseOf('shop', notReady, fetched + startLimitMs), 'failing');
  });

  it('goes on when the clock is set: its time is told by another one', () => {
    const starts = new StartTracker();
    starts.conditions('shop', [], 1_000_000);
    starts.phaseOf('shop', notReady, 5);
    starts.conditions('shop', [], 1_000_000 + 10 * startLimitMs);
    assert.equal(starts.phaseOf('shop', notReady, 6), 'starting');
  });

  it('fails at once when it will not start by itself, and starts again when that is mended', () => {
    const starts = new StartTracker();
    assert.equal(starts.phaseOf('shop', { ready: false, failed: true }, 0), 'failing');
    assert.equal(starts.phaseOf('shop', notReady, 1), 'starting');
  });

  it('starts anew when it was gone', () => {
    const starts = new StartTracker();
    starts.phaseOf('shop', { ready: true }, 0);
    starts.keepOnly(new Set(['web']));
    assert.equal(starts.phaseOf('shop', notReady, 1), 'starting');
  });
});
