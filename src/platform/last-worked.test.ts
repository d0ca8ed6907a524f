import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { platformHome } from '../runtime/local/home.ts';
import { textsIn } from '../runtime/local/index.ts';
import { scratchDirectory } from '../runtime/local/testing/place.ts';
import { openLastWorked } from './last-worked.ts';

const day = 24 * 3_600_000;

test('the next start knows when a part last worked, and that it has not worked since', (t) => {
  const home = platformHome(scratchDirectory(t));
  mkdirSync(home.state);
  const file = path.join(home.state, 'last-worked.json');
  let now = 1000 * day;
  const first = openLastWorked(textsIn(home));
  assert.equal(first.seen('api/shop', false, now), undefined);
  assert.equal(first.hasWorked('api/shop'), false);
  assert.equal(first.seen('api/shop', true, now), now);
  now += 5000;
  assert.equal(first.seen('api/shop', false, now), now - 5000);
  first.close();
  assert.equal(statSync(file).mode & 0o777, 0o600);

  now += day;
  const second = openLastWorked(textsIn(home));
  assert.equal(second.seen('api/shop', undefined, now), 1000 * day);
  assert.equal(second.hasWorked('api/shop'), false);
  second.seen('api/web', true, now);
  assert.equal(second.hasWorked('api/web'), true);
  second.close();

  writeFileSync(file, 'half a fi');
  openLastWorked(textsIn(home)).close();
});

test('a part that comes back under the name of one that is gone has never worked', (t) => {
  const home = platformHome(scratchDirectory(t));
  mkdirSync(home.state);
  const first = openLastWorked(textsIn(home));
  first.seen('api/shop', true, 1000);
  first.seen('api/web', true, 1000);
  first.keepOnly(new Set(['api/web']));
  assert.deepEqual([first.seen('api/shop', false, 2000), first.hasWorked('api/shop')], [undefined, false]);
  assert.equal(first.seen('api/web', false, 2000), 1000);
  first.close();
  const second = openLastWorked(textsIn(home));
  assert.equal(second.seen('api/shop', false, 3000), undefined);
  second.close();
});

test('a directory that is gone is not made again', (t) => {
  const home = platformHome(scratchDirectory(t));
  const known = openLastWorked(textsIn(home));
  known.seen('api/shop', true, 1);
  known.close();
  assert.equal(statSync(home.state, { throwIfNoEntry: false }), undefined);
});
