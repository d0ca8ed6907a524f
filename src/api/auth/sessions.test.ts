import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTokenStore } from './sessions.ts';

const clock = (): { now: () => number; sleep: (ms: number) => void } => {
  let time = 0;
  return {
    now: () => time,
    sleep: (ms) => {
      time += ms;
    },
  };
};

test('what was taken once is gone', () => {
  const store = createTokenStore<string>({ ...clock(), most: 10, ageMs: 100 });
  const secret = store.add('ann');
  assert.equal(store.take(secret), 'ann');
  assert.equal(store.take(secret), undefined);
  assert.equal(store.find(secret), undefined);
});

test('everything ends after its age, and earlier when it is not used', () => {
  const { now, sleep } = clock();
  const store = createTokenStore<string>({ now, most: 10, ageMs: 1000, idleMs: 300 });
  const [used, idle] = [store.add('ann'), store.add('bob')];
  for (let i = 0; i < 4; i++) {
    sleep(240);
    assert.equal(store.find(used), 'ann');
  }
  assert.equal(store.find(idle), undefined);
  sleep(40);
  assert.equal(store.find(used), undefined);
});

test('the oldest makes room for the newest, and what has ended goes first', () => {
  const { now, sleep } = clock();
  const store = createTokenStore<number>({ now, most: 3, ageMs: 1000 });
  const first = store.add(1);
  store.add(2, 10);
  sleep(20);
  store.add(3);
  store.add(4);
  assert.equal(store.find(first), 1);
  store.add(5);
  assert.equal(store.find(first), undefined);
  assert.equal(store.size, 3);
});
