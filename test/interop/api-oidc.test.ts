// People who sign in with a real OpenID Connect provider.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createApi } from '../../src/api/app.ts';
import { requestHeader } from '../../src/api/guard/requests.ts';
import { serveApi } from '../../src/api/serve.ts';
import { type SampleApi, sampleApi, sessionOf } from '../../src/api/testing/sample-api.ts';
import { createAuthority, type Issued, issueServer, validFor } from '../../src/pki/index.ts';
import { client, startProvider } from '../e2e/api/oidc-provider.ts';
import { createBrowser, type SmallBrowser, type Visited } from '../e2e/api/small-browser.ts';
import { freePort } from '../support/gateway/ports.ts';
import { createUndoList } from '../support/gateway/undo.ts';

const undo = createUndoList();
const groups = { ann: ['platform-admins', 'staff'], bob: ['staff'], eve: ['guests'] };
const roles = { admin: ['platform-admins'], viewer: ['staff'] };
let sample: SampleApi;
let url: string;

before(async () => {
  sample = await sampleApi(undo);
  url = await served(false);
});
after(() => undo.run());

/** The API with a provider of its own. */
async function served(inToken: boolean, { tls, ca }: { tls?: Issued; ca?: string } = {}): Promise<string> {
  const port = await freePort();
  const redirectUri = `http://127.0.0.1:${port}/api/v1/login/callback`;
  const issuer = await startProvider(undo, { redirectUri, groups, inToken, ...(tls === undefined ? {} : { tls }) });
  const trust = ca === undefined ? {} : { ca };
  const oidc = { issuer, clientId: client.id, clientSecret: client.secret, redirectUri, roles, ...trust };
  const api = createApi({ platform: sample.platform, auth: { oidc }, pageDirectory: sample.directory });
  const server = await serveApi({ api, address: { host: '127.0.0.1', port } });
  undo.after(() => server.close());
  return server.url;
}

const isCallback = ({ pathname }: URL): boolean => pathname === '/api/v1/login/callback';

/** Through the pages of the provider, up to where it sends the browser back. */
async function signInAtProvider(browser: SmallBrowser, at: string, login: string, next = '/'): Promise<URL> {
  const form = await browser.open(`${at}/api/v1/login?next=${encodeURIComponent(next)}`);
  const consent = await browser.submit(form, { login, password: 'any' }, isCallback);
  const back = isCallback(consent.url) ? consent : await browser.submit(consent, {}, isCallback);
  assert.ok(isCallback(back.url), back.text.slice(0, 300));
  return back.url;
}

async function signIn(browser: SmallBrowser, at: string, login: string): Promise<Visited> {
  const back = await signInAtProvider(browser, at, login);
  return browser.open(back.href, ({ pathname }) => pathname === '/' || pathname === '/login');
}

/** What the page does with the address that it came to; undefined where it has nothing to sign in with. */
async function signInByAddress({ url: { origin, hash } }: Visited): Promise<Response | undefined> {
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (token === null) return undefined;
  const headers = { 'content-type': 'application/json', [requestHeader]: '1' };
  return fetch(`${origin}/api/v1/session`, { method: 'POST', headers, body: JSON.stringify({ token }) });
}

const isSignedIn = async (landed: Visited): Promise<boolean> => (await signInByAddress(landed))?.status === 200;

async function whoAmI(landed: Visited): Promise<unknown> {
  const signedIn = await signInByAddress(landed);
  assert.equal(signedIn?.status, 200);
  const headers = await sessionOf(signedIn);
  return (await fetch(`${landed.url.origin}/api/v1/whoami`, { headers })).json();
}

describe('signing in with OpenID Connect', () => {
  it('trusts a provider of the company only with its authority', async () => {
    const validity = validFor(new Date(), 1);
    const authority = await createAuthority('authority of the company', validity);
    const tls = await issueServer(authority, ['127.0.0.1'], validity);
    const refused = await createBrowser().open(`${await served(false, { tls })}/api/v1/login`);
    assert.match(refused.text, /certificate.*trustBundle/);
    const at = await served(false, { tls, ca: authority.certificate });
    assert.ok(await isSignedIn(await signIn(createBrowser(), at, 'ann')));
  });

  it('gives the role that a group stands for', async () => {
    const browser = createBrowser();
    const landed = await signIn(browser, url, 'ann');
    assert.equal(landed.url.pathname, '/login');
    assert.ok(browser.cookieNames().every((name) => !name.startsWith('causeway-session')));
    assert.deepEqual(await whoAmI(landed), { name: 'ann@example.com', roles: ['viewer', 'operator', 'admin'] });
    assert.equal(await isSignedIn(landed), false, 'a second time');
  });

  it('leads to the page one came for, and nowhere else', async () => {
    const elsewhere = ['https://evil.example/', '//evil.example', '/\\evil.example', '/login'].map((next) => [
      next,
      '/',
    ]);
    for (const [next = '', expected] of [['/network/dns?q=shop', '/network/dns?q=shop'], ...elsewhere]) {
      const browser = createBrowser();
      const back = await signInAtProvider(browser, url, 'ann', next);
      const { url: landed } = await browser.open(back.href, ({ pathname }) => !pathname.startsWith('/api/'));
      assert.equal(`${landed.origin}${landed.pathname}`, `${url}/login`);
      assert.equal(landed.searchParams.get('next'), expected);
    }
  });

  it('reads groups from the signed token too', async () => {
    const other = await served(true);
    const landed = await signIn(createBrowser(), other, 'bob');
    assert.deepEqual(await whoAmI(landed), { name: 'bob@example.com', roles: ['viewer'] });
  });

  it('lets nobody in whose groups stand for nothing here', async () => {
    const { url: landed } = await signIn(createBrowser(), url, 'eve');
    assert.equal(landed.href, `${url}/login?problem=CW-API-ROLE`);
  });

  it('works once, and only in the browser that began it', async () => {
    const browser = createBrowser();
    const back = await signInAtProvider(browser, url, 'ann');
    const stop = ({ pathname }: URL): boolean => pathname === '/login' || pathname === '/';
    const otherBrowser = createBrowser();
    const refused = `${url}/login?problem=CW-API-OIDC`;
    assert.equal((await otherBrowser.open(back.href, stop)).url.href, refused);
    assert.ok(await isSignedIn(await browser.open(back.href, stop)));
    assert.equal((await browser.open(back.href, stop)).url.href, refused);
  });

  it('refuses an answer to a question that was not asked', async () => {
    const browser = createBrowser();
    const back = await signInAtProvider(browser, url, 'ann');
    back.searchParams.set('state', 'another');
    const { url: landed } = await browser.open(back.href, ({ pathname }) => pathname === '/login');
    assert.equal(landed.href, `${url}/login?problem=CW-API-OIDC`);
  });

  it('tells in the history who came, without what they brought', async () => {
    const entries = sample.platform.events({ limit: 100 }).filter(({ message }) => message.includes('/login/callback'));
    assert.ok(
      entries.some(({ message }) => message.startsWith('ann@example.com at 127.0.0.1: GET /api/v1/login/callback')),
    );
    assert.doesNotMatch(JSON.stringify(entries), /code=|state=|token=/);
  });

  it('says that the provider does not answer', async () => {
    const port = await freePort();
    const redirectUri = `${url}/api/v1/login/callback`;
    const oidc = { issuer: `http://127.0.0.1:${port}`, clientId: client.id, redirectUri, roles };
    const { app } = createApi({ platform: sample.platform, auth: { oidc }, pageDirectory: sample.directory });
    const response = await app.request('http://127.0.0.1/api/v1/login');
    assert.equal(response.status, 502);
    assert.match(await response.text(), /CW-API-OIDC.*does not answer/);
  });
});
