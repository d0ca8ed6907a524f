import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplePlatform } from '../../plan/testing/sample-model.ts';
import { authOf } from './configure.ts';
import { identityOf, type OidcOptions } from './oidc.ts';

const source = {
  manifests: '.',
  env: {
    CAUSEWAY_SECRET_HASH: `$2b$10$${'x'.repeat(53)}`,
    CAUSEWAY_SECRET_PLAIN: 'the password itself',
    CAUSEWAY_SECRET_OIDC: 'hidden\n',
  },
};
const url = 'https://page.example.com:8443';

test('static users of the Platform have the role that a flag gives them, and else may read', () => {
  const dex = { staticUsers: ['ann', 'bob'].map((email) => ({ email, hash: { env: 'CAUSEWAY_SECRET_HASH' } })) };
  const auth = authOf(samplePlatform({ authentication: { dex } }), { roles: ['admin=ann'], url }, source);
  assert.deepEqual(
    auth.users?.map(({ name, role }) => [name, role]),
    [
      ['ann', 'admin'],
      ['bob', 'viewer'],
    ],
  );
});

test('the own provider of the Platform signs people in, and sends them back to the page', () => {
  const external = {
    issuer: 'https://id.example.com',
    clientID: 'causeway',
    clientSecret: { env: 'CAUSEWAY_SECRET_OIDC' },
  };
  const flags = { roles: ['admin=ops', 'viewer=*'], claim: 'teams', url };
  const { oidc } = authOf(samplePlatform({ authentication: { external } }), flags, source);
  assert.deepEqual(oidc, {
    issuer: 'https://id.example.com',
    clientId: 'causeway',
    clientSecret: 'hidden',
    redirectUri: `${url}/api/v1/login/callback`,
    claim: 'teams',
    roles: { admin: ['ops'], viewer: ['*'] },
  });
});

test('a secret that is missing is named, and never its value', () => {
  const dex = { staticUsers: [{ email: 'ann', hash: { env: 'CAUSEWAY_SECRET_NOT_THERE' } }] };
  assert.throws(() => authOf(samplePlatform({ authentication: { dex } }), { roles: [], url }, source), {
    code: 'CW-API-SECRET',
    message: /NOT_THERE/,
  });
  const plain = { staticUsers: [{ email: 'ann', hash: { env: 'CAUSEWAY_SECRET_PLAIN' } }] };
  assert.throws(
    () => authOf(samplePlatform({ authentication: { dex: plain } }), { roles: [], url }, source),
    (error: Error) => /ann's password is not in .*_PLAIN/.test(error.message) && !error.message.includes('itself'),
  );
  assert.throws(() => authOf(samplePlatform(), { roles: ['boss=ann'], url }, source), { code: 'CW-API-ROLE-FLAG' });
});

const roleOf = (claims: Record<string, unknown>, claim = 'groups'): string | undefined => {
  const options = { claim, roles: { admin: ['ops'], operator: ['dev'] } } as unknown as OidcOptions;
  return identityOf({ sub: 'x', ...claims }, options)?.role;
};

test('the highest role counts, from a list, a text or a nested claim; without one nobody gets in', () => {
  assert.equal(roleOf({ groups: ['dev', 'ops'] }), 'admin');
  assert.equal(roleOf({ groups: 'dev others' }), 'operator');
  assert.equal(roleOf({ realm_access: { roles: ['ops'] } }, 'realm_access.roles'), 'admin');
  assert.equal(roleOf({ groups: ['OPS', { ops: true }] }), undefined);
  assert.equal(roleOf({}), undefined);
  assert.equal(roleOf({ groups: null }), undefined);
});
