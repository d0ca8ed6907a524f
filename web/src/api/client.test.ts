import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ApiError, apiUrl, get, send } from './client.ts';
import { session } from './session.ts';

/** What a browser has and Node has not: the storage of a tab, and other tabs, of which there are none. */
const stored = new Map<string, string>();
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  },
  BroadcastChannel: class {
    postMessage(): void {}
  },
});

/** Answers every request with this, and tells what was asked. */
function answering(t: TestContext, answer: () => Response) {
  return t.mock.method(globalThis, 'fetch', async () => answer());
}

test('an address has what was given, escaped, and nothing that is empty', () => {
  assert.equal(apiUrl('/clusters'), '/api/v1/clusters');
  assert.equal(
    apiUrl('/clusters', { q: 'a b&c', limit: 8, from: '', to: undefined }),
    '/api/v1/clusters?q=a+b%26c&limit=8',
  );
});

test('what the platform refuses keeps its code, its fix and its findings', async (t) => {
  const finding = { code: 'CW-X', severity: 'error', message: 'm', fix: 'f' };
  const error = { code: 'CW-API-INVALID', message: 'no', fix: 'do otherwise', findings: [finding] };
  answering(t, () => Response.json({ error }, { status: 422 }));
  await assert.rejects(get('/plan'), {
    status: 422,
    code: error.code,
    message: 'no',
    fix: 'do otherwise',
    findings: [finding],
  });
});

test('an answer that is no problem document is still an error with something to do', async (t) => {
  answering(t, () => new Response('<html>', { status: 502 }));
  await assert.rejects(
    get('/plan'),
    (error) => error instanceof ApiError && error.code === 'HTTP-502' && error.fix !== '',
  );
});

test('a platform that does not answer is told as such', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => {
    throw new TypeError('fetch failed');
  });
  await assert.rejects(get('/plan'), { code: 'CW-PAGE-OFFLINE', status: 0 });
});

test('a change carries its body and what was read before', async (t) => {
  const asked = answering(t, () => Response.json({}, { headers: { etag: '"2"' } }));
  const { etag } = await send('PUT', '/resources/Cluster/a', { body: { kind: 'Cluster' }, ifMatch: '"1"' });
  assert.equal(etag, '"2"');
  const [call] = asked.mock.calls;
  assert.ok(call);
  const [url, init] = call.arguments as unknown as [string, RequestInit];
  const headers = new Headers(init.headers);
  assert.equal(url, '/api/v1/resources/Cluster/a');
  assert.deepEqual([init.method, init.body], ['PUT', '{"kind":"Cluster"}']);
  assert.deepEqual([headers.get('if-match'), headers.get('content-type')], ['"1"', 'application/json']);
});

/** Who asked, as the platform sees it. */
const askedBy = (asked: ReturnType<typeof answering>): (string | null)[] =>
  asked.mock.calls.map(({ arguments: [, init] }) =>
    new Headers((init as unknown as RequestInit).headers).get('authorization'),
  );

const refusal = (why: string) => () =>
  Response.json(
    { error: { code: 'CW-X', message: 'no', fix: 'f' } },
    { status: 401, headers: { 'www-authenticate': why } },
  );

test('a page that is signed in says so in a header, and one that is not says nothing', async (t) => {
  const asked = answering(t, () => Response.json({}));
  await get('/plan');
  session().keep('secret');
  await get('/plan');
  assert.deepEqual(askedBy(asked), [null, 'Bearer secret']);
  session().keep(undefined);
});

test('a session that has ended is forgotten, and what is open to all is asked for without it', async (t) => {
  session().keep('secret');
  let first = true;
  const asked = answering(t, () => {
    if (!first) return Response.json({ token: true });
    first = false;
    return refusal('Bearer error="invalid_token"')();
  });
  assert.deepEqual(await get('/login/methods'), { token: true });
  assert.deepEqual(askedBy(asked), ['Bearer secret', null]);
  assert.equal(session().token(), undefined);
});

test('whoever is not signed in is told so, after other tabs were asked', async (t) => {
  const asked = answering(t, refusal('Bearer realm="causeway"'));
  await assert.rejects(get('/plan'), { status: 401 });
  assert.deepEqual(askedBy(asked), [null]);
});

test('a wrong password is told at once, and is sent once', async (t) => {
  const asked = answering(t, () =>
    Response.json({ error: { code: 'CW-API-PASSWORD', message: 'no', fix: 'f' } }, { status: 401 }),
  );
  await assert.rejects(send('POST', '/session', { body: {} }), { code: 'CW-API-PASSWORD' });
  assert.equal(asked.mock.callCount(), 1);
});
