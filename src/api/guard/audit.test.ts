import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleApi } from '../testing/sample-api.ts';
import { requestHeader } from './requests.ts';

test('unauthenticated requests cannot displace entries of the event log', async (t) => {
  const { ask, platform } = await sampleApi(t);
  const request = { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json', [requestHeader]: '1' } };
  for (let i = 0; i < 60; i++) await ask(undefined, `/api/v1/resources/Cluster/c${i}`, request);
  const entries = platform.events({ limit: 100 }).filter(({ kind }) => kind === 'access');
  assert.equal(entries.length, 20);
  await ask('viewer', '/api/v1/clusters/tunneling/kubeconfig');
  assert.match(platform.events({ limit: 1 })[0]?.message ?? '', /^viewer: GET .*\/kubeconfig → 200$/);
});
