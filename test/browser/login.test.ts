import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { hashSync } from 'bcryptjs';
import { client, startProvider } from '../e2e/api/oidc-provider.ts';
import { barriers, type Page, startBrowser } from '../support/browser.ts';
import { type Dashboard, startDashboard } from '../support/dashboard.ts';
import { freePort } from '../support/gateway/ports.ts';
import type { Undo } from '../support/gateway/undo.ts';

const user = (name: string, role: 'viewer' | 'operator' | 'admin') => ({
  name,
  role,
  hash: hashSync(`${name}'s own`, 4),
});
const users = [user('vera', 'viewer'), user('otto', 'operator'), user('ada', 'admin')];

async function logIn(page: Page, name: string, password = `${name}'s own`): Promise<void> {
  await page.getByLabel('User', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

test('logging in', async (t) => {
  const browser = await startBrowser(t);
  if (browser === undefined) return;
  const dashboard = await startDashboard(t, { auth: { links: true, users } });

  await t.test('the printed address lets one browser in, once, and does not stay in its history', async (t) => {
    const link = dashboard.link();
    const first = await browser.open(t, link);
    await first.page.getByRole('heading', { name: 'Topology' }).waitFor();
    assert.equal(first.page.url(), dashboard.at('/'));
    const second = await browser.open(t, link);
    await second.page.getByText('used before').waitFor();
  });

  await t.test('the session stays when the page is loaded anew, and a tab that is opened has it too', async (t) => {
    const { page, troubles } = await browser.open(t, dashboard.link());
    await page.getByRole('heading', { name: 'Topology' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Topology' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(dashboard.at('/clusters'));
    await tab.getByRole('table').waitFor();
    assert.equal(tab.url(), dashboard.at('/clusters'));
    assert.deepEqual(troubles, []);
    await page.getByRole('button', { name: 'Logged in as owner' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    // By itself: its stream of events ends with the session.
    await tab.getByRole('heading', { name: 'Log in to Causeway' }).waitFor();
  });

  await t.test('no other port of the machine is told the session', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.getByRole('heading', { name: 'Topology' }).waitFor();
    assert.deepEqual(await page.context().cookies(), []);
    const told: IncomingHttpHeaders[] = [];
    const neighbour = createServer(({ headers }, response) => {
      told.push(headers);
      response.setHeader('content-type', 'text/html').end('<title>neighbour</title>');
    });
    await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
    t.after(() => neighbour.close().closeAllConnections());
    const { port } = neighbour.address() as AddressInfo;
    const tab = await page.context().newPage();
    await tab.goto(`http://127.0.0.1:${port}/`);
    assert.equal(await tab.evaluate('sessionStorage.length + localStorage.length'), 0);
    await page.goto(`http://127.0.0.1:${port}/`);
    assert.ok(told.length >= 2);
    for (const { cookie, authorization } of told) assert.deepEqual([cookie, authorization], [undefined, undefined]);
  });

  await t.test('without a login one gets to the login page, and from there to where one wanted to go', async (t) => {
    const { page } = await browser.open(t, dashboard.at('/network/dns?q=tunneling'));
    await page.getByRole('heading', { name: 'Log in to Causeway' }).waitFor();
    assert.deepEqual(await barriers(page), []);
    await logIn(page, 'vera', 'a wrong one');
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), 'a wrong one');
    await logIn(page, 'vera');
    await page.getByRole('heading', { name: 'Network' }).waitFor();
    assert.equal(page.url(), dashboard.at('/network/dns?q=tunneling'));
  });

  await t.test('logging out ends it', async (t) => {
    const { page } = await browser.open(t, dashboard.at('/'));
    await logIn(page, 'vera');
    await page.getByRole('button', { name: 'Logged in as vera' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in to Causeway' }).waitFor();
    await page.goto(dashboard.at('/clusters'));
    await page.getByRole('heading', { name: 'Log in to Causeway' }).waitFor();
  });

  await t.test('each role is offered what it may do, and nothing else', async (t) => {
    // A platform of its own, because logins are counted.
    const dashboard = await startDashboard(t, { auth: { users } });
    const offers: Record<string, Record<string, boolean>> = {};
    for (const { name } of users) {
      const { page } = await browser.open(t, dashboard.at('/clusters/tunneling'));
      await logIn(page, name);
      await page.getByRole('tab', { name: 'Path' }).waitFor();
      await page.getByRole('button', { name: `Logged in as ${name}` }).waitFor();
      const canDelete = (await page.getByRole('button', { name: /delete/i }).count()) > 0;
      await page.goto(dashboard.at('/clusters'));
      await page.getByRole('table').waitFor();
      offers[name] = { canDelete, canCreate: (await page.getByRole('link', { name: /new cluster/i }).count()) > 0 };
    }
    assert.deepEqual(offers, {
      vera: { canDelete: false, canCreate: false },
      otto: { canDelete: false, canCreate: true },
      ada: { canDelete: true, canCreate: true },
    });
  });

  await t.test('with an OpenID Connect provider', async (t) => {
    const dashboard = await dashboardWithProvider(t);

    await t.test('one logs in there, comes back with the role of a group, and logs out', async (t) => {
      const { page, troubles } = await browser.open(t, dashboard.at('/clusters'));
      await page.getByRole('link', { name: /^Log in with 127\.0\.0\.1:/ }).waitFor();
      assert.deepEqual(await barriers(page), []);
      await logInAtProvider(page, 'ann');
      await page.getByRole('button', { name: 'Logged in as ann@example.com' }).click();
      await page.getByText('operator').waitFor();
      assert.equal(page.url(), dashboard.at('/clusters'));
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.getByRole('heading', { name: 'Log in to Causeway' }).waitFor();
      await page.goto(dashboard.at('/clusters'));
      await page.getByRole('link', { name: /^Log in with/ }).waitFor();
      assert.deepEqual(troubles, []);
    });

    await t.test('whose groups have no role is told so, and stays out', async (t) => {
      const { page } = await browser.open(t, dashboard.at('/'));
      await logInAtProvider(page, 'eve');
      await page.getByRole('alert').getByText('none of your groups has a role here').waitFor();
      assert.deepEqual(await barriers(page), []);
      await page.goto(dashboard.at('/clusters'));
      await page.getByRole('heading', { name: 'Log in to Causeway' }).waitFor();
    });

    await t.test('who turns back there may try again', async (t) => {
      const { page } = await browser.open(t, dashboard.at('/'));
      await page.getByRole('link', { name: /^Log in with/ }).click();
      await page.getByRole('link', { name: /cancel/i }).click();
      await page.getByRole('alert').getByText('was not finished').waitFor();
      await logInAtProvider(page, 'ann');
      await page.getByRole('heading', { name: 'Topology' }).waitFor();
    });
  });
});

/** The provider must know where people come back to, so the page has a port of its own. */
async function dashboardWithProvider(t: Undo): Promise<Dashboard> {
  const port = await freePort();
  const redirectUri = `http://127.0.0.1:${port}/api/v1/login/callback`;
  const issuer = await startProvider(t, { redirectUri, groups: { ann: ['ops'], eve: ['guests'] } });
  const oidc = { issuer, redirectUri, clientId: client.id, clientSecret: client.secret, roles: { operator: ['ops'] } };
  return startDashboard(t, { auth: { oidc }, port });
}

/** From our login page through the pages of the provider. */
async function logInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: /^Log in with/ }).click();
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
