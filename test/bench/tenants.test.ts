// `bench tenants` starts two control planes, so only its arguments are tried here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../bench/tenants/index.ts';

test('refuses a row that it does not know, before anything is started', async () => {
  await assert.rejects(
    run(() => {}, { only: ['deletes'] }),
    /no row "deletes"/,
  );
});
