import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestHeader } from './guard/requests.ts';
import { joining } from './schema/clusters.ts';
import type { Role } from './schema/session.ts';
import { codeOf, sampleApi } from './testing/sample-api.ts';

const url = '/api/v1/clusters/tunneling/join';
const post = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', [requestHeader]: '1' },
});

test('only an administrator lets machines in', async (t) => {
  const { ask } = await sampleApi(t);
  const statusFor = async (role: Role | undefined): Promise<number> => (await ask(role, url, post({}))).status;
  assert.equal(await statusFor(undefined), 401);
  assert.equal(await statusFor('viewer'), 403);
  assert.equal(await statusFor('operator'), 403);
  assert.equal(await statusFor('admin'), 200);
});

test('what a machine needs is as described, ends when it was asked to, and is kept nowhere on the way', async (t) => {
  const { ask } = await sampleApi(t);
  const response = await ask('admin', url, post({ ttl: '1h' }));
  assert.match(response.headers.get('cache-control') ?? '', /no-store/);
  const info = joining.parse(await response.json());
  assert.ok(Math.abs(info.expiresAt - Date.now() - 3_600_000) < 60_000);
});

test('who let a machine in is in the history, and the token is not', async (t) => {
  const { ask, platform } = await sampleApi(t);
  const { token } = joining.parse(await (await ask('admin', url, post({}))).json());
  const said = platform.events({ limit: 100 }).map(({ message }) => message);
  assert.ok(said.some((message) => message.includes(`admin: POST ${url}`)));
  assert.ok(!said.join().includes(token));
});

test('a time that is none, and a cluster that is none, are refused', async (t) => {
  const { ask } = await sampleApi(t);
  assert.equal(await codeOf(await ask('admin', url, post({ ttl: 'soon' }))), 'CW-API-REQUEST');
  assert.equal((await ask('admin', '/api/v1/clusters/nobody/join', post({}))).status, 404);
});
