// People who sign in with a real OpenID Connect provider.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createApi } from '../../src/api/app.ts';
import { serveApi } from '../../src/api/serve.ts';
import { type SampleApi, sampleApi } from '../../src/api/testing/sample-api.ts';
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

const isSignedIn = (browser: SmallBrowser): boolean =>
  browser.cookieNames().some((name) => name.startsWith('causeway-session'));

const whoAmI = async (browser: SmallBrowser, at: string): Promise<unknown> =>
  JSON.parse((await browser.open(`${at}/api/v1/whoami`)).text);

describe('signing in with OpenID Connect', () => {
  it('trusts a provider of the company only with its authority', async () => {
    const validity = validFor(new Date(), 1);
    const authority = await createAuthority('authority of the company', validity);
    const tls = await issueServer(authority, ['127.0.0.1'], validity);
    const refused = await createBrowser().open(`${await served(false, { tls })}/api/v1/login`);
    assert.match(refused.text, /certificate.*trustBundle/);
    const at = await served(false, { tls, ca: authority.certificate });
    const browser = createBrowser();
    await signIn(browser, at, 'ann');
    assert.ok(isSignedIn(browser));
  });

  it('gives the role that a group stands for', async () => {
    const browser = createBrowser();
    const { url: landed, response } = await signIn(browser, url, 'ann');
    assert.equal(landed.pathname, '/');
    assert.match(response.headers.getSetCookie().join(), /causeway-session-\w+=.*HttpOnly; SameSite=Strict/);
    assert.deepEqual(await whoAmI(browser, url), { name: 'ann@example.com', roles: ['viewer', 'operator', 'admin'] });
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
      assert.equal(landed.href, `${url}${expected}`);
    }
  });

  it('reads groups from the signed token too', async () => {
    const other = await served(true);
    const browser = createBrowser();
    await signIn(browser, other, 'bob');
    assert.deepEqual(await whoAmI(browser, other), { name: 'bob@example.com', roles: ['viewer'] });
  });

  it('lets nobody in whose groups stand for nothing here', async () => {
    const browser = createBrowser();
    const { url: landed } = await signIn(browser, url, 'eve');
    assert.equal(landed.pathname + landed.search, '/login?problem=CW-API-ROLE');
    assert.equal(isSignedIn(browser), false);
  });

  it('works once, and only in the browser that began it', async () => {
    const browser = createBrowser();
    const back = await signInAtProvider(browser, url, 'ann');
    const stop = ({ pathname }: URL): boolean => pathname === '/login' || pathname === '/';
    const otherBrowser = createBrowser();
    assert.equal((await otherBrowser.open(back.href, stop)).url.search, '?problem=CW-API-OIDC');
    assert.equal(isSignedIn(otherBrowser), false);
    assert.equal((await browser.open(back.href, stop)).url.pathname, '/');
    assert.equal((await browser.open(back.href, stop)).url.search, '?problem=CW-API-OIDC');
  });

  it('refuses an answer to a question that was not asked', async () => {
    const browser = createBrowser();
    const back = await signInAtProvider(browser, url, 'ann');
    back.searchParams.set('state', 'another');
    const { url: landed } = await browser.open(back.href, ({ pathname }) => pathname === '/login');
    assert.equal(landed.search, '?problem=CW-API-OIDC');
    assert.equal(isSignedIn(browser), false);
  });

  it('tells in the history who came, without what they brought', async () => {
    const entries = sample.platform.events({ limit: 100 }).filter(({ message }) => message.includes('/login/callback'));
    assert.ok(
      entries.some(({ message }) => message.startsWith('ann@example.com at 127.0.0.1: GET /api/v1/login/callback')),
    );
    assert.doesNotMatch(JSON.stringify(entries), /code=|state=/);
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
