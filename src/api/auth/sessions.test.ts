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
    assert.equal(store.find(used)?.value, 'ann');
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
  assert.equal(store.find(first)?.value, 1);
  store.add(5);
  assert.equal(store.find(first), undefined);
  assert.equal(store.size, 3);
});

test('one owner displaces only what is their own', () => {
  const store = createTokenStore<string>({
    ...clock(),
    ...{ most: 100, ageMs: 1000, perOwner: { most: 3, of: (value) => value } },
  });
  const [ann, bob] = [store.add('ann'), store.add('bob')];
  const more = Array.from({ length: 200 }, () => store.add('bob'));
  assert.equal(store.find(ann)?.value, 'ann');
  assert.equal(store.find(bob), undefined);
  assert.deepEqual(
    more.slice(-4).map((secret) => store.find(secret)?.value),
    [undefined, 'bob', 'bob', 'bob'],
  );
});

test('whoever listens is told of each removal, once', () => {
  const { now, sleep } = clock();
  const store = createTokenStore<string>({ now, most: 10, ageMs: 100 });
  const removed: string[] = [];
  store.onRemoved((id) => removed.push(id));
  const [ann, bob] = [store.add('ann'), store.add('bob')];
  const ids = store.list().map(({ id }) => id);
  store.remove(ann);
  store.remove(ann);
  assert.deepEqual(removed, ids.slice(0, 1));
  sleep(100);
  assert.deepEqual(store.list(), []);
  assert.equal(store.find(bob), undefined);
  assert.deepEqual(removed, ids);
});
