// What lets somebody in: bounded, listed, revoked.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestHeader } from './guard/requests.ts';
import type { Credentials, IssuedKubeconfigs, Role } from './schema/session.ts';
import { codeOf, type SampleApi, sampleApi } from './testing/sample-api.ts';

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', [requestHeader]: '1' },
});
const remove: RequestInit = { method: 'DELETE', headers: { [requestHeader]: '1' } };
const at = '/api/v1/clusters/tunneling';

/** Headers with a new token of somebody. */
async function newToken({ ask }: SampleApi, maker: Role | Record<string, string>, body = {}) {
  const [role, headers] = typeof maker === 'string' ? [maker, {}] : [undefined, maker];
  const init = post(body);
  const answer = await ask(role, '/api/v1/tokens', { ...init, headers: { ...init.headers, ...headers } });
  assert.equal(answer.status, 200);
  return { authorization: `Bearer ${((await answer.json()) as { token: string }).token}` };
}
const whoAmI = async ({ ask }: SampleApi, headers: Record<string, string>): Promise<number> =>
  (await ask(undefined, '/api/v1/whoami', { headers })).status;
const listed = async ({ json }: SampleApi, role: Role) => (await json<Credentials>(role, '/api/v1/credentials')).items;

describe('a credential', () => {
  it('of any kind is not good for longer than its cap', async (t) => {
    const { ask } = await sampleApi(t);
    const long = ['999999h', '721h', '720h1s', '999999h999999h'];
    for (const ttl of long) {
      assert.equal(await codeOf(await ask('admin', '/api/v1/tokens', post({ ttl }))), 'CW-API-REQUEST', ttl);
      assert.equal(await codeOf(await ask('admin', `${at}/kubeconfig?ttl=${ttl}`)), 'CW-API-REQUEST', ttl);
      assert.equal(await codeOf(await ask('admin', `${at}/join`, post({ ttl }))), 'CW-API-REQUEST', ttl);
    }
    assert.equal((await ask('admin', `${at}/join`, post({ ttl: '169h' }))).status, 422);
    assert.equal((await ask('admin', `${at}/kubeconfig?ttl=720h`)).status, 200);
  });

  it('is good for hours where nobody says for how long', async (t) => {
    const sample = await sampleApi(t);
    assert.match(await (await sample.ask('viewer', `${at}/kubeconfig`)).text(), /after 28800000 ms/);
    const headers = await newToken(sample, 'viewer');
    sample.sleep(8 * 3_600_000 + 1);
    assert.equal(await whoAmI(sample, headers), 401);
  });
});

describe('a bearer token', () => {
  it('is listed with its person, role and end, and refused once it is revoked', async (t) => {
    const sample = await sampleApi(t);
    const headers = await newToken(sample, 'operator', { ttl: '1h' });
    const [item] = await listed(sample, 'operator');
    assert.deepEqual([item?.kind, item?.person, item?.role], ['token', 'operator', 'operator']);
    assert.ok(Math.abs((item?.endsAt ?? 0) - Date.now() - 3_600_000) < 60_000);
    assert.equal(await whoAmI(sample, headers), 200);
    assert.equal((await sample.ask('operator', `/api/v1/credentials/${item?.id}`, remove)).status, 204);
    assert.equal(await whoAmI(sample, headers), 401);
    assert.deepEqual(await listed(sample, 'operator'), []);
    assert.equal((await sample.ask('operator', `/api/v1/credentials/${item?.id}`, remove)).status, 404);
  });

  it('takes all tokens with it that were made with it', async (t) => {
    const sample = await sampleApi(t);
    const stolen = await newToken(sample, 'operator');
    const [item] = await listed(sample, 'operator');
    const child = await newToken(sample, stolen);
    const grandchild = await newToken(sample, child);
    const other = await newToken(sample, 'operator');
    await sample.ask('operator', `/api/v1/credentials/${item?.id}`, remove);
    for (const headers of [stolen, child, grandchild]) assert.equal(await whoAmI(sample, headers), 401);
    assert.equal(await whoAmI(sample, other), 200);
  });

  it('of somebody else is seen and revoked by administrators only', async (t) => {
    const sample = await sampleApi(t);
    const headers = await newToken(sample, 'admin');
    const [item] = await listed(sample, 'admin');
    assert.deepEqual([await listed(sample, 'viewer'), await listed(sample, 'operator')], [[], []]);
    assert.equal((await sample.ask('viewer', `/api/v1/credentials/${item?.id}`, remove)).status, 404);
    assert.equal(await whoAmI(sample, headers), 200);
    const theirs = await newToken(sample, 'viewer');
    const found = (await listed(sample, 'admin')).find(({ person }) => person === 'viewer');
    assert.equal((await sample.ask('admin', `/api/v1/credentials/${found?.id}`, remove)).status, 204);
    assert.equal(await whoAmI(sample, theirs), 401);
  });

  it('that may do less ends nothing of its person that may do more', async (t) => {
    const sample = await sampleApi(t);
    const weak = await newToken(sample, 'admin', { role: 'viewer' });
    const strong = await newToken(sample, 'admin');
    const item = (await listed(sample, 'admin')).find(({ role }) => role === 'admin');
    const answer = await sample.ask(undefined, `/api/v1/credentials/${item?.id}`, { method: 'DELETE', headers: weak });
    assert.equal(answer.status, 404);
    assert.equal(await whoAmI(sample, strong), 200);
  });

  it('of one person is not displaced by a thousand of another', async (t) => {
    const sample = await sampleApi(t);
    const headers = await newToken(sample, 'admin');
    for (let i = 0; i < 1001; i++) {
      // As often as it is allowed.
      sample.sleep(1000);
      await newToken(sample, 'viewer');
    }
    assert.equal(await whoAmI(sample, headers), 200);
  });
});

describe('a kubeconfig', () => {
  it('is listed with the person who got it, also by a token of theirs', async (t) => {
    const sample = await sampleApi(t);
    await sample.ask('operator', `${at}/kubeconfig`);
    await sample.ask(undefined, `${at}/kubeconfig`, { headers: await newToken(sample, 'operator') });
    await sample.ask('admin', `${at}/kubeconfig?role=admin`);
    const ownersListedTo = async (role: Role): Promise<string[]> =>
      (await sample.json<IssuedKubeconfigs>(role, `${at}/kubeconfigs`)).items.map(({ person }) => person);
    assert.deepEqual(await ownersListedTo('admin'), ['operator', 'operator', 'admin']);
    assert.deepEqual(await ownersListedTo('operator'), ['operator', 'operator']);
    assert.deepEqual(await ownersListedTo('viewer'), []);
  });

  it('is revoked by whom it belongs to, or by an administrator', async (t) => {
    const sample = await sampleApi(t);
    const issue = async (role: Role): Promise<string> =>
      (await sample.ask(role, `${at}/kubeconfig`)).headers.get('x-causeway-kubeconfig') ?? '';
    const revoke = async (role: Role, id: string): Promise<number> =>
      (await sample.ask(role, `${at}/kubeconfigs/${id}`, remove)).status;
    const [own, other] = [await issue('viewer'), await issue('admin')];
    assert.equal(await revoke('viewer', other), 404);
    assert.equal(await revoke('viewer', own), 204);
    assert.equal(await revoke('viewer', own), 404);
    assert.equal(await revoke('admin', await issue('viewer')), 204);
    assert.deepEqual(
      (await sample.platform.kubeconfigs('tunneling')).map(({ id }) => id),
      [other],
    );
  });
});
