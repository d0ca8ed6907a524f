// The form of a cluster, as people meet it: what is wrong blocks it with a reason, what warns does not.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Page, startBrowser } from '../support/browser.ts';
import { startDashboard } from '../support/dashboard.ts';
import { until } from '../support/gateway/until.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const version = (page: Page) => page.getByRole('combobox', { name: 'Kubernetes version' });
/** What stands beside the button. */
const reason = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text });

test('the form of a cluster', async (t) => {
  const browser = await startBrowser(t);
  if (browser === undefined) return;
  const dashboard = await startDashboard(t);
  const has = (file: string): boolean => existsSync(path.join(dashboard.directory, file));

  await t.test('a version that cannot be had blocks creating, and says what can be had', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/create-cluster'));
    await reason(page, /needs a name/).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('shop');
    await until(() => button(page, 'Create').isEnabled());
    await version(page).fill('1.99.0');
    await reason(page, /1 error has to be mended first: Kubernetes 1\.99\.0 cannot be had/).waitFor();
    assert.equal(await button(page, 'Create').isEnabled(), false);
    await page.getByText(/Choose one that can be had: 1\.36\.3, 1\.36\.1/).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).press('Enter');
    assert.equal(has('clusters/shop.yaml'), false, 'the key that sends a form does not send this one');
  });

  await t.test('versions that can be had are offered, those on the machine first', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/create-cluster'));
    await until(async () => (await version(page).inputValue()) === '1.36.3');
    await version(page).click();
    await page.getByRole('option').first().waitFor();
    assert.deepEqual(
      (await page.getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0]),
      ['1.36.3', '1.36.1', '1.35.4'],
    );
    await page.getByText('On this machine').waitFor();
    await page.getByRole('option', { name: '1.35.4' }).click();
    assert.equal(await version(page).inputValue(), '1.35.4');
  });

  await t.test('a warning is said at its field, and blocks nothing', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/create-cluster'));
    await page.getByRole('textbox', { name: 'Name' }).fill('older');
    await version(page).fill('1.32.9');
    await page.getByText(/Kubernetes 1\.32\.9 is out of support/).waitFor();
    await until(() => button(page, 'Create').isEnabled());
    assert.notEqual(await version(page).getAttribute('aria-invalid'), 'true', 'it looks like an error');
    await button(page, 'Create').click();
    await page.getByRole('heading', { level: 1, name: 'older' }).waitFor();
    assert.ok(has('clusters/older.yaml'));
  });

  await t.test('a name that is taken is said, and is not "nothing to ask for"', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    const before = readFileSync(path.join(dashboard.directory, 'clusters/tunneling.yaml'), 'utf8');
    await page.goto(dashboard.at('/create-cluster'));
    await page.getByRole('textbox', { name: 'Name' }).fill('tunneling');
    await reason(page, /There is a cluster of this name already/).waitFor();
    await page.getByText('There is a cluster tunneling already', { exact: true }).waitFor();
    assert.equal(await button(page, 'Create').isEnabled(), false);
    assert.equal(await page.getByText(/nothing .*to ask for/i).count(), 0);
    assert.equal(readFileSync(path.join(dashboard.directory, 'clusters/tunneling.yaml'), 'utf8'), before);
    await page.getByRole('link', { name: 'change it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit tunneling' }).waitFor();
  });

  await t.test('an error that a cluster has already blocks saving it until it is mended', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    const file = 'clusters/nodeport.yaml';
    const good = readFileSync(path.join(dashboard.directory, file), 'utf8');
    t.after(() => dashboard.write(file, good));
    dashboard.write(file, good.replace(/kubernetesVersion: .*/, 'kubernetesVersion: 1.99.0'));
    await page.goto(dashboard.at('/edit-cluster/nodeport'));
    await page.getByLabel('Workers').fill('5');
    await reason(page, /1\.99\.0 cannot be had/).waitFor();
    assert.equal(await button(page, 'Save').isEnabled(), false);
    await version(page).fill('1.36.3');
    await until(() => button(page, 'Save').isEnabled());
  });
});
