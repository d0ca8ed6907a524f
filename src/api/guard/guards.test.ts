import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { hashSync } from 'bcryptjs';
import type { Role } from '../schema/session.ts';
import { codeOf, linkToken, overTls, sampleApi, sessionOf } from '../testing/sample-api.ts';
import { requestHeader } from './requests.ts';

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', [requestHeader]: '1', ...headers },
});
const client = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });
const whoami = '/api/v1/whoami';

describe('a link', () => {
  it('signs in the first browser that opens it, and nobody else', async (t) => {
    const { api, ask } = await sampleApi(t, { auth: { links: true } });
    const token = linkToken(api);
    const first = await ask(undefined, '/api/v1/session', post({ token }));
    assert.equal((await ask(undefined, whoami, { headers: await sessionOf(first) })).status, 200);
    const second = await ask(undefined, '/api/v1/session', post({ token }));
    assert.equal(second.status, 401);
    assert.equal(await codeOf(second), 'CW-API-LINK');
  });

  it('is not used up by a browser that only looks ahead', async (t) => {
    const { api, ask } = await sampleApi(t, { auth: { links: true } });
    const { search, searchParams } = new URL(api.loginUrl('http://127.0.0.1'));
    const seen = await ask(undefined, `/${search}`, { headers: { 'sec-purpose': 'prefetch' } });
    assert.deepEqual([seen.status, seen.headers.get('set-cookie')], [200, null]);
    assert.equal((await ask(undefined, '/api/v1/session', post({ token: searchParams.get('token') }))).status, 200);
  });

  it('ends after a day', async (t) => {
    const { api, ask, sleep } = await sampleApi(t, { auth: { links: true } });
    const token = linkToken(api);
    sleep(25 * 3_600_000);
    assert.equal(await codeOf(await ask(undefined, '/api/v1/session', post({ token }))), 'CW-API-LINK');
  });

  it('lets in however many others guess', async (t) => {
    const { ask, signIn } = await sampleApi(t, { auth: { links: true } });
    const guess = () => ask(undefined, '/api/v1/session', post({ token: 'guess' }));
    while ((await guess()).status !== 429);
    assert.equal((await signIn()).status, 200);
  });

  it('is worth nothing where links are off', async (t) => {
    const { signIn } = await sampleApi(t);
    assert.equal((await signIn()).status, 401);
  });
});

describe('a session', () => {
  for (const [where, env] of [
    ['on loopback', {}],
    ['over TLS', overTls],
  ] as const) {
    it(`${where} ends when somebody signs out`, async (t) => {
      const { ask, signIn } = await sampleApi(t, { auth: { links: true } });
      const headers = await sessionOf(await signIn(env));
      assert.equal((await ask(undefined, whoami, { headers }, env)).status, 200);
      const signOut = { method: 'DELETE', headers: { ...headers, [requestHeader]: '1' } };
      assert.equal((await ask(undefined, '/api/v1/session', signOut, env)).status, 204);
      assert.equal((await ask(undefined, whoami, { headers }, env)).status, 401);
    });

    it(`${where} ends when it was not used for half a day`, async (t) => {
      const { ask, signIn, sleep } = await sampleApi(t, { auth: { links: true } });
      const headers = await sessionOf(await signIn(env));
      sleep(13 * 3_600_000);
      assert.equal((await ask(undefined, whoami, { headers }, env)).status, 401);
    });
  }

  it('on loopback is a bearer token and no cookie, which would go to every port of the machine', async (t) => {
    const { ask, signIn } = await sampleApi(t, { auth: { links: true } });
    const signedIn = await signIn();
    assert.deepEqual(signedIn.headers.getSetCookie(), []);
    const { authorization = '' } = await sessionOf(signedIn);
    const used = await ask(undefined, whoami, { headers: { authorization } });
    assert.deepEqual([used.status, used.headers.getSetCookie()], [200, []]);
    // One that some program of this machine planted, or that an older version set, is not looked at.
    const name = `causeway-session-${'0'.repeat(8)}`;
    const secret = authorization.replace('Bearer ', '');
    for (const cookie of [`${name}=${secret}`, `__Host-${name}=${secret}`])
      assert.equal((await ask(undefined, whoami, { headers: { cookie } })).status, 401);
  });

  it('is carried over TLS in a cookie that no other host can plant', async (t) => {
    const { ask, signIn } = await sampleApi(t, { auth: { links: true } });
    const signedIn = await signIn(overTls);
    const set = signedIn.headers.get('set-cookie') ?? '';
    assert.match(set, /^__Host-causeway-session-.*; HttpOnly; Secure; SameSite=Strict/);
    assert.match(signedIn.headers.get('strict-transport-security') ?? '', /max-age/);
    assert.deepEqual(await signedIn.json(), { name: 'owner', roles: ['viewer', 'operator', 'admin'] });
    // What the page cannot read, it cannot send in a header either.
    const authorization = `Bearer ${/=([^;]*)/.exec(set)?.[1]}`;
    assert.equal((await ask(undefined, whoami, { headers: { authorization } }, overTls)).status, 401);
  });

  it('takes no change by cookie without the header that no other page can send', async (t) => {
    const { ask, signIn } = await sampleApi(t, { auth: { links: true } });
    const headers = await sessionOf(await signIn(overTls));
    const signOut = { method: 'DELETE', headers };
    assert.equal((await ask(undefined, '/api/v1/session', signOut, overTls)).status, 403);
    assert.equal((await ask(undefined, whoami, { headers }, overTls)).status, 200);
  });
});

describe('a password', () => {
  const users = [{ name: 'ann', role: 'operator' as const, hash: hashSync('correct horse', 4) }];

  it('signs in its user with the role it has', async (t) => {
    const { ask } = await sampleApi(t, { auth: { users } });
    const response = await ask(undefined, '/api/v1/session', post({ user: 'ann', password: 'correct horse' }));
    assert.partialDeepStrictEqual(await response.json(), { name: 'ann', roles: ['viewer', 'operator'] });
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
    const { ask, signIn } = await sampleApi(t, { auth: { links: true } });
    const headers = { ...(await sessionOf(await signIn(overTls))), authorization: 'Bearer guess' };
    const response = await ask(undefined, whoami, { headers }, overTls);
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
