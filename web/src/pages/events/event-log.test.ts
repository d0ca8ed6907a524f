import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiEvent } from '../../api/types.ts';
import { beforeThese, clusterOf, fits, merged } from './event-log.ts';

const event = (id: number, more: Partial<ApiEvent> = {}): ApiEvent => ({
  id,
  at: id,
  kind: 'cluster',
  level: 'info',
  subject: 'Cluster/shop',
  message: `event ${id}`,
  ...more,
});

test('runs that overlap become one, in order', () => {
  const ids = merged([event(4), event(5)], [event(2), event(3), event(4)]).map(({ id }) => id);
  assert.deepEqual(ids, [2, 3, 4, 5]);
});

test('older events are asked for until the first', () => {
  assert.equal(beforeThese([event(500)], 100), 399);
  assert.equal(beforeThese([event(50)], 100), 0);
  assert.equal(beforeThese([event(1)], 100), undefined);
  assert.equal(beforeThese([], 100), undefined);
});

test('an event fits when every filter does', () => {
  const all = { words: '', kind: '', level: '' };
  assert.ok(fits(event(7), all));
  assert.ok(fits(event(7), { ...all, words: 'SHOP event' }));
  assert.ok(!fits(event(7), { ...all, level: 'error' }));
  assert.ok(!fits(event(7), { ...all, kind: 'access' }));
});

test('an event leads to the cluster that it is about', () => {
  const subjects = [
    'Cluster/shop',
    'component/cluster/shop/etcd',
    'component/worker/shop/kwok',
    'Seed/local',
    'platform',
  ];
  assert.deepEqual(subjects.map(clusterOf), ['shop', 'shop', 'shop', undefined, undefined]);
});
