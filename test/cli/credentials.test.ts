// `causeway credentials`: who has access, and its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestHeader } from '../../src/api/guard/requests.ts';
import { causewayLater } from '../support/cli.ts';
import { controlledSample } from '../support/controlled-sample.ts';

const causeway = (...args: string[]) => causewayLater(args);
const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', [requestHeader]: '1' } };

test('lists sessions, tokens and kubeconfigs with whom they belong to, and revokes them', async (t) => {
  const { ask, directory, platform } = await controlledSample(t);
  const made = (await (await ask('viewer', '/api/v1/tokens', post)).json()) as { token: string };
  await ask('operator', '/api/v1/clusters/tunneling/kubeconfig');
  const list = async (...more: string[]) => {
    const { stdout } = await causeway('credentials', 'list', '--dir', directory, '-o', 'json', ...more);
    return JSON.parse(stdout) as { id: string; kind: string; person: string; cluster?: string }[];
  };
  const all = await list();
  assert.deepEqual(
    all.map(({ kind, person, cluster }) => [kind, person, cluster]),
    [
      ['token', 'viewer', undefined],
      ['kubeconfig', 'operator', 'tunneling'],
    ],
  );
  assert.deepEqual(await list('--person', 'operator'), all.slice(1));
  const table = (await causeway('credentials', 'list', '--dir', directory)).stdout;
  assert.match(table, /^ID +KIND +PERSON/);
  assert.doesNotMatch(table, new RegExp(made.token));

  const [token, kubeconfig] = all;
  const revoked = await causeway('credentials', 'revoke', '--dir', directory, token?.id ?? '');
  assert.equal(revoked.stdout, `revoked ${token?.id}\n`);
  const headers = { authorization: `Bearer ${made.token}` };
  assert.equal((await ask(undefined, '/api/v1/whoami', { headers })).status, 401);
  const last = await causeway('credentials', 'revoke', '--dir', directory, '--person', 'operator');
  assert.equal(last.stdout, `revoked ${kubeconfig?.id}\n`);
  assert.deepEqual(await platform.kubeconfigs('tunneling'), []);
  assert.equal((await causeway('credentials', 'list', '--dir', directory)).stdout, 'none\n');
});

test('refuses to guess what is to be revoked, and ids that are none', async (t) => {
  const { directory } = await controlledSample(t);
  const nothing = await causeway('credentials', 'revoke', '--dir', directory);
  assert.match(nothing.stderr, /CW-CLI-CREDENTIALS/);
  assert.notEqual(nothing.code, 0);
  const unknown = await causeway('credentials', 'revoke', '--dir', directory, 'x1');
  assert.match(unknown.stderr, /no session or token "x1"/);
  assert.notEqual(unknown.code, 0);
});

test('a kubeconfig and a join token for longer than the cap are refused before anything is asked', async () => {
  for (const args of [
    ['kubeconfig', 'shop', '--ttl', '999999h'],
    ['kubectl', '--ttl', '721h', 'shop', 'get', 'pods'],
    ['cluster', 'join', 'shop', '--ttl', '169h'],
  ]) {
    const { stderr, code } = await causeway(...args);
    assert.match(stderr, /is too long: the longest is (720|168)h \[CW-CLI-DURATION\]/, args.join(' '));
    assert.notEqual(code, 0);
  }
});
