import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestHeader } from './guard/requests.ts';
import { evictions } from './schema/clusters.ts';
import type { Role } from './schema/session.ts';
import { codeOf, sampleApi } from './testing/sample-api.ts';

const url = '/api/v1/clusters/tunneling/evictions';
const evict = (node: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify({ node }),
  headers: { 'content-type': 'application/json', [requestHeader]: '1' },
});
const remove: RequestInit = { method: 'DELETE', headers: { [requestHeader]: '1' } };

test('only an administrator shuts nodes out and lets them in again; others see who is', async (t) => {
  const { ask } = await sampleApi(t);
  const statusFor = async (role: Role | undefined, path: string, init?: RequestInit): Promise<number> =>
    (await ask(role, path, init)).status;
  for (const role of ['viewer', 'operator'] as const) {
    assert.equal(await statusFor(role, url, evict('n1')), 403);
    assert.equal(await statusFor(role, `${url}/n1`, remove), 403);
  }
  assert.equal(await statusFor(undefined, url), 401);
  assert.equal(await statusFor('admin', url, evict('n1.example')), 200);
  const { items } = evictions.parse(await (await ask('viewer', url)).json());
  assert.deepEqual(
    items.map(({ node }) => node),
    ['n1.example'],
  );
  assert.equal(await statusFor('admin', `${url}/n1.example`, remove), 204);
  assert.deepEqual(evictions.parse(await (await ask('viewer', url)).json()), { items: [] });
});

test('what is no node, no evicted one, or of no cluster is refused', async (t) => {
  const { ask } = await sampleApi(t);
  for (const node of ['No such', '', 'a/b', 7, 'n'.repeat(300)])
    assert.equal(await codeOf(await ask('admin', url, evict(node))), 'CW-API-REQUEST');
  assert.equal((await ask('admin', `${url}/n1`, remove)).status, 404);
  assert.equal((await ask('admin', '/api/v1/clusters/nobody/evictions', evict('n1'))).status, 404);
});
