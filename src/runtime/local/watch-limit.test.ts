import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooFewWatches } from './watch-limit.ts';

test('a few clusters get along with the default of the kernel', () => {
  assert.equal(tooFewWatches(0, 128), undefined);
  assert.equal(tooFewWatches(8, 128), undefined);
});

test('more are told what to set, and that is enough', () => {
  const said = tooFewWatches(9, 128) ?? '';
  assert.match(
    said,
    /^9 control planes need about 142 .* gives 128 to a user.*sysctl -w fs\.inotify\.max_user_instances=512$/,
  );
  assert.equal(tooFewWatches(9, 512), undefined);
});
