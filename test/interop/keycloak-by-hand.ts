// People who sign in with Keycloak. It is large and starts slowly, so this is no part of the usual run: CONTRIBUTING.md tells
// how to have it judge.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createApi } from '../../src/api/app.ts';
import { serveApi } from '../../src/api/serve.ts';
import { sampleApi } from '../../src/api/testing/sample-api.ts';
import { silentLog } from '../../src/sys/log.ts';
import { client } from '../e2e/api/oidc-provider.ts';
import { createBrowser, type SmallBrowser } from '../e2e/api/small-browser.ts';
import { run } from '../support/child-process.ts';
import { freePort } from '../support/gateway/ports.ts';
import { createUndoList, type Undo } from '../support/gateway/undo.ts';
import { until } from '../support/gateway/until.ts';
import { needProgram } from '../support/programs.ts';

const where = process.env.CAUSEWAY_KEYCLOAK;
const slowStart = 600_000;

test('Keycloak signs people in, with the roles of a realm', async (t) => {
  assert.ok(where, 'CAUSEWAY_KEYCLOAK must name an unpacked Keycloak');
  if (needProgram(t, 'java') === undefined) return;
  const undo = createUndoList();
  t.after(() => undo.run());
  const port = await freePort();
  const redirectUri = `http://127.0.0.1:${port}/api/v1/login/callback`;
  const issuer = await startKeycloak(undo, where, redirectUri);
  const { platform, directory } = await sampleApi(undo);
  const roles = { admin: ['platform-admin'], viewer: ['staff'] };
  const oidc = {
    ...{ issuer, redirectUri, clientId: client.id, clientSecret: client.secret },
    ...{ claim: 'realm_access.roles', roles },
  };
  // Why a login failed is for the log; people are told less.
  const log = { ...silentLog, warn: (message: string, fields = {}) => t.diagnostic(message + JSON.stringify(fields)) };
  const api = createApi({ platform, auth: { oidc }, pageDirectory: directory, log });
  const { url, close } = await serveApi({ api, address: { host: '127.0.0.1', port } });
  undo.after(close);

  const rolesOf = async (name: string): Promise<readonly string[]> => {
    const browser = createBrowser();
    assert.equal(await signIn(browser, url, name), '/clusters');
    return (JSON.parse((await browser.open(`${url}/api/v1/whoami`)).text) as { roles: string[] }).roles;
  };
  assert.deepEqual(await rolesOf('ann'), ['viewer', 'operator', 'admin']);
  assert.deepEqual(await rolesOf('bob'), ['viewer']);
  assert.equal(await signIn(createBrowser(), url, 'eve'), '/login?problem=CW-API-ROLE');
});

/** Where on our page somebody ends. */
async function signIn(browser: SmallBrowser, url: string, username: string): Promise<string> {
  const form = await browser.open(`${url}/api/v1/login?next=%2Fclusters`);
  assert.match(form.text, /name="username"/, form.text.slice(0, 500));
  const isCallback = ({ pathname }: URL): boolean => pathname === '/api/v1/login/callback';
  const back = await browser.submit(form, { username, password: `${username}'s own` }, isCallback);
  assert.ok(isCallback(back.url), back.text.slice(0, 500));
  const { url: landed } = await browser.open(back.url.href, (at) => !isCallback(at));
  return landed.pathname + landed.search;
}

/** In a copy: it writes beside its programs. */
async function startKeycloak(undo: Undo, from: string, redirectUri: string): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), 'causeway-keycloak-'));
  undo.after(async () => rmSync(home, { recursive: true, force: true }));
  cpSync(from, home, { recursive: true });
  rmSync(path.join(home, 'data'), { recursive: true, force: true });
  mkdirSync(path.join(home, 'data/import'), { recursive: true });
  writeFileSync(path.join(home, 'data/import/realm.json'), JSON.stringify(realm(redirectUri)));
  const port = await freePort();
  const flags = ['--http-host=127.0.0.1', `--http-port=${port}`, '--cache=local', '--import-realm'];
  const keycloak = run(undo, { program: path.join(home, 'bin/kc.sh'), args: ['start-dev', ...flags] });
  const issuer = `http://127.0.0.1:${port}/realms/causeway`;
  const answers = (): Promise<boolean> =>
    fetch(issuer)
      .then(({ ok }) => ok)
      .catch(() => false);
  await until(async () => keycloak.hasEnded() || (await answers()), slowStart);
  assert.equal(keycloak.hasEnded(), false, keycloak.said());
  return issuer;
}

/** As an administrator would set it up: a client, and the roles of the realm in what it is told about people. */
const realm = (redirectUri: string) => ({
  realm: 'causeway',
  enabled: true,
  sslRequired: 'none',
  roles: { realm: ['platform-admin', 'staff'].map((name) => ({ name })) },
  users: [user('ann', ['platform-admin', 'staff']), user('bob', ['staff']), user('eve', [])],
  clients: [
    {
      clientId: client.id,
      secret: client.secret,
      redirectUris: [redirectUri],
      attributes: { 'pkce.code.challenge.method': 'S256' },
      protocolMappers: [
        {
          name: 'realm roles',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-usermodel-realm-role-mapper',
          config: { 'claim.name': 'realm_access.roles', multivalued: 'true', 'id.token.claim': 'true' },
        },
      ],
    },
  ],
});

const user = (username: string, realmRoles: readonly string[]) => ({
  username,
  realmRoles,
  enabled: true,
  email: `${username}@example.com`,
  emailVerified: true,
  firstName: username,
  lastName: 'Example',
  credentials: [{ type: 'password', value: `${username}'s own` }],
});
