// Guessing passwords: whom the limits count, and whom they do not keep out.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashSync } from 'bcryptjs';
import { type SampleApi, sampleApi } from '../testing/sample-api.ts';
import { networkOf } from './client.ts';
import { requestHeader } from './requests.ts';

const users = ['ann', 'bob'].map((name) => ({ name, role: 'viewer' as const, hash: hashSync('correct horse', 4) }));
const balancer = '192.0.2.1';

interface Attempt {
  readonly user?: string;
  readonly password?: string;
  readonly from: string;
  readonly forwarded?: string;
}

async function signIn({ ask }: SampleApi, attempt: Attempt): Promise<number> {
  const { user = 'ann', password = 'wrong', from, forwarded } = attempt;
  const headers = {
    ...{ 'content-type': 'application/json', [requestHeader]: '1' },
    ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
  };
  const init = { method: 'POST', body: JSON.stringify({ user, password }), headers };
  const env = { incoming: { socket: { remoteAddress: from } } };
  return (await ask(undefined, '/api/v1/session', init, env)).status;
}

describe('guesses at a password', () => {
  it('are counted by network: all addresses of an IPv6 /64 are one client', async (t) => {
    const sample = await sampleApi(t, { auth: { users } });
    const statuses: number[] = [];
    for (let i = 1; i <= 6; i++) statuses.push(await signIn(sample, { from: `2001:db8:0:1::${i}` }));
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
    assert.equal(await signIn(sample, { from: '2001:db8:0:2::1' }), 401);
  });

  it('are counted by account: a thousand networks guess no faster than a few', async (t) => {
    const sample = await sampleApi(t, { auth: { users } });
    let looked = 0;
    for (let i = 0; i < 1000; i++) if ((await signIn(sample, { from: `10.0.${i >> 8}.${i & 255}` })) === 401) looked++;
    assert.equal(looked, 20);
    // Another account is another count.
    assert.equal(await signIn(sample, { from: '10.9.0.1', user: 'bob', password: 'correct horse' }), 200);
  });

  it('of others do not keep a person out of the network that they signed in from before', async (t) => {
    const sample = await sampleApi(t, { auth: { users } });
    const own = { from: '198.51.100.7', password: 'correct horse' };
    assert.equal(await signIn(sample, own), 200);
    for (let i = 0; i < 30; i++) await signIn(sample, { from: `10.0.0.${i}` });
    assert.equal(await signIn(sample, { from: '10.0.1.1', password: 'correct horse' }), 429);
    assert.equal(await signIn(sample, own), 200);
  });

  it('behind a trusted balancer are counted by the real client', async (t) => {
    const sample = await sampleApi(t, { auth: { users }, trustedProxies: [`${balancer}/32`] });
    const by = (forwarded: string): Promise<number> => signIn(sample, { from: balancer, forwarded });
    for (let i = 0; i < 5; i++) assert.equal(await by('203.0.113.9'), 401);
    assert.equal(await by('203.0.113.9'), 429);
    assert.equal(await by('203.0.113.10'), 401);
    // What the client itself wrote before is not believed.
    assert.equal(await by('203.0.113.77, 203.0.113.9'), 429);
  });

  it('are not hidden by X-Forwarded-For of somebody who is no balancer', async (t) => {
    const sample = await sampleApi(t, { auth: { users }, trustedProxies: [`${balancer}/32`] });
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push(await signIn(sample, { from: '10.0.0.9', forwarded: `203.0.113.${i}` }));
    assert.equal(statuses.at(-1), 429);
    const alone = await sampleApi(t, { auth: { users } });
    for (let i = 0; i < 5; i++) await signIn(alone, { from: balancer, forwarded: `203.0.113.${i}` });
    assert.equal(await signIn(alone, { from: balancer, forwarded: '203.0.113.99' }), 429);
  });
});

it('the network of an address is the address itself, or its /64', () => {
  assert.equal(networkOf('10.0.0.1'), '10.0.0.1');
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(networkOf(''), '');
});
