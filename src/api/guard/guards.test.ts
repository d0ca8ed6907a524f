import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { hashSync } from 'bcryptjs';
import type { Role } from '../schema/session.ts';
import { codeOf, sampleApi } from '../testing/sample-api.ts';
import { requestHeader } from './requests.ts';

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', [requestHeader]: '1', ...headers },
});
const client = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });
const cookieOf = (response: Response): string => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

describe('a link', () => {
  it('signs in the first browser that opens it, and nobody else', async (t) => {
    const { api, ask } = await sampleApi(t, { auth: { links: true } });
    const { pathname, search } = new URL(api.loginUrl('http://127.0.0.1'));
    const first = await ask(undefined, pathname + search);
    assert.equal(first.headers.get('location'), '/');
    assert.match(first.headers.get('set-cookie') ?? '', /HttpOnly; SameSite=Strict/);
    assert.equal((await ask(undefined, '/api/v1/whoami', { headers: { cookie: cookieOf(first) } })).status, 200);
    const second = await ask(undefined, pathname + search);
    assert.equal(second.headers.get('set-cookie'), null);
    assert.equal(second.headers.get('location'), '/login?problem=CW-API-LINK');
  });

  it('is not used up by a browser that only looks ahead', async (t) => {
    const { api, ask } = await sampleApi(t, { auth: { links: true } });
    const { search } = new URL(api.loginUrl('http://127.0.0.1'));
    await ask(undefined, `/${search}`, { headers: { 'sec-purpose': 'prefetch' } });
    assert.equal((await ask(undefined, `/${search}`)).headers.get('location'), '/');
  });

  it('can be used by a script too, and ends after a day', async (t) => {
    const { api, ask, sleep } = await sampleApi(t, { auth: { links: true } });
    const token = (): string => new URL(api.loginUrl('http://127.0.0.1')).searchParams.get('token') ?? '';
    assert.equal((await ask(undefined, '/api/v1/session', post({ token: token() }))).status, 200);
    const old = token();
    sleep(25 * 3_600_000);
    assert.equal(await codeOf(await ask(undefined, '/api/v1/session', post({ token: old }))), 'CW-API-LINK');
  });

  it('is worth nothing where links are off', async (t) => {
    const { api, ask } = await sampleApi(t);
    const { search } = new URL(api.loginUrl('http://127.0.0.1'));
    assert.equal((await ask(undefined, `/${search}`)).headers.get('set-cookie'), null);
  });
});

describe('a session', () => {
  it('ends when somebody signs out', async (t) => {
    const { api, ask } = await sampleApi(t, { auth: { links: true } });
    const cookie = cookieOf(await ask(undefined, `/${new URL(api.loginUrl('http://127.0.0.1')).search}`));
    const signedOut = await ask(undefined, '/api/v1/session', {
      method: 'DELETE',
      headers: { cookie, [requestHeader]: '1' },
    });
    assert.equal(signedOut.status, 204);
    assert.equal((await ask(undefined, '/api/v1/whoami', { headers: { cookie } })).status, 401);
  });

  it('ends when it was not used for half a day', async (t) => {
    const { api, ask, sleep } = await sampleApi(t, { auth: { links: true } });
    const cookie = cookieOf(await ask(undefined, `/${new URL(api.loginUrl('http://127.0.0.1')).search}`));
    sleep(13 * 3_600_000);
    assert.equal((await ask(undefined, '/api/v1/whoami', { headers: { cookie } })).status, 401);
  });

  it('is carried over TLS in a cookie that no other host can plant', async (t) => {
    const { api, ask } = await sampleApi(t, { auth: { links: true } });
    const { search } = new URL(api.loginUrl('http://127.0.0.1'));
    const response = await ask(undefined, `/${search}`, {}, { incoming: { socket: { encrypted: true } } });
    assert.match(response.headers.get('set-cookie') ?? '', /^__Host-causeway-session-.*; Secure/);
    assert.match(response.headers.get('strict-transport-security') ?? '', /max-age/);
  });
});

describe('a password', () => {
  const users = [{ name: 'ann', role: 'operator' as const, hash: hashSync('correct horse', 4) }];

  it('signs in its user with the role it has', async (t) => {
    const { ask } = await sampleApi(t, { auth: { users } });
    const response = await ask(undefined, '/api/v1/session', post({ user: 'ann', password: 'correct horse' }));
    assert.deepEqual(await response.json(), { name: 'ann', roles: ['viewer', 'operator'] });
  });

  it('cannot be guessed: a few tries, then one every twelve seconds, for each client', async (t) => {
    const { ask, sleep } = await sampleApi(t, { auth: { users } });
    const guess = (user: string, from = '10.0.0.1'): Promise<Response> =>
      ask(undefined, '/api/v1/session', post({ user, password: 'wrong' }), client(from));
    for (let i = 0; i < 5; i++) assert.equal((await guess('ann')).status, 401);
    const limited = await guess('ann');
    assert.equal(limited.status, 429);
    assert.equal(limited.headers.get('retry-after'), '12');
    assert.equal((await guess('ann', '10.0.0.2')).status, 401);
    sleep(12_000);
    assert.equal((await guess('ann')).status, 401);
    assert.equal((await guess('ann')).status, 429);
  });

  it('is refused in the same words whether the user exists or not', async (t) => {
    const { ask } = await sampleApi(t, { auth: { users } });
    const tell = async (user: string) =>
      (await ask(undefined, '/api/v1/session', post({ user, password: 'x' }))).json();
    assert.deepEqual(await tell('ann'), await tell('nobody'));
  });

  it('is not good for its first 72 bytes', async (t) => {
    const long = 'x'.repeat(72);
    const { ask } = await sampleApi(t, { auth: { users: [{ name: 'ann', role: 'admin', hash: hashSync(long, 4) }] } });
    const signIn = (password: string) => ask(undefined, '/api/v1/session', post({ user: 'ann', password }));
    assert.equal((await signIn(`${long}more`)).status, 401);
    assert.equal((await signIn(long)).status, 200);
  });
});

describe('a bearer token', () => {
  it('may do what its maker allows, and not more than its maker may', async (t) => {
    const { ask } = await sampleApi(t);
    const made = await ask('operator', '/api/v1/tokens', post({ role: 'viewer', ttl: '1h' }));
    const { token } = (await made.json()) as { token: string };
    const authorization = `Bearer ${token}`;
    const who = await ask(undefined, '/api/v1/whoami', { headers: { authorization } });
    assert.deepEqual(await who.json(), { name: 'token of operator', roles: ['viewer'] });
    assert.equal((await ask('operator', '/api/v1/tokens', post({ role: 'admin' }))).status, 403);
  });

  it('that is wrong is said to be wrong, whatever cookie comes along', async (t) => {
    const { api, ask } = await sampleApi(t, { auth: { links: true } });
    const cookie = cookieOf(await ask(undefined, `/${new URL(api.loginUrl('http://127.0.0.1')).search}`));
    const response = await ask(undefined, '/api/v1/whoami', { headers: { cookie, authorization: 'Bearer guess' } });
    assert.equal(await codeOf(response), 'CW-API-TOKEN');
  });

  it('makes no token with a token that would outlive it', async (t) => {
    const { ask, sleep } = await sampleApi(t);
    const made = async (role: Role | undefined, ttl: string, headers = {}): Promise<Record<string, string>> => {
      const answer = await ask(role, '/api/v1/tokens', post({ ttl }, headers));
      return { authorization: `Bearer ${((await answer.json()) as { token: string }).token}` };
    };
    const headers = await made(undefined, '90h', await made('viewer', '1m'));
    assert.equal((await ask(undefined, '/api/v1/whoami', { headers })).status, 200);
    sleep(61_000);
    assert.equal((await ask(undefined, '/api/v1/whoami', { headers })).status, 401);
  });

  it('ends in time', async (t) => {
    const { ask, sleep } = await sampleApi(t);
    const { token } = (await (await ask('admin', '/api/v1/tokens', post({ ttl: '1m' }))).json()) as { token: string };
    sleep(61_000);
    assert.equal(
      (await ask(undefined, '/api/v1/whoami', { headers: { authorization: `Bearer ${token}` } })).status,
      401,
    );
  });
});

test('the control socket needs no login', async (t) => {
  const { ask } = await sampleApi(t);
  const response = await ask(undefined, '/api/v1/whoami', {}, { trusted: true });
  assert.deepEqual(await response.json(), { name: 'owner', roles: ['viewer', 'operator', 'admin'] });
});

test('a client that asks too often is asked to wait, and others are not', async (t) => {
  const { ask, sleep } = await sampleApi(t);
  const from = (address: string): Promise<Response> => ask(undefined, '/healthz', {}, client(address));
  let answered = 0;
  while ((await from('10.0.0.1')).status === 200) assert.ok(++answered < 3000);
  assert.ok(answered >= 300);
  assert.equal((await from('10.0.0.2')).status, 200);
  sleep(1000);
  assert.equal((await from('10.0.0.1')).status, 200);
});

test('who changed what is in the history, and nothing secret with it', async (t) => {
  const users = [{ name: 'ann', role: 'admin' as const, hash: hashSync('correct horse', 4) }];
  const { ask, platform } = await sampleApi(t, { auth: { users } });
  await ask(undefined, '/api/v1/session', post({ user: 'ann', password: 'correct horse' }), client('10.0.0.9'));
  await ask(undefined, '/api/v1/session', post({ user: 'ann', password: 'wrong horse' }), client('10.0.0.9'));
  await ask('viewer', '/api/v1/clusters/tunneling/kubeconfig');
  await ask('viewer', '/api/v1/status');
  const events = platform.events({ limit: 10 }).filter(({ kind }) => kind === 'access');
  assert.deepEqual(
    events.map(({ level, message }) => [level, message]),
    [
      ['info', 'ann at 10.0.0.9: POST /api/v1/session → 200'],
      ['warn', 'somebody at 10.0.0.9: POST /api/v1/session → 401'],
      ['info', 'viewer: GET /api/v1/clusters/tunneling/kubeconfig → 200'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(events), /horse|token-for-tests/);
});
