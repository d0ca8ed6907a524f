import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pretendRunning } from '../../src/api/testing/sample-platform.ts';
import { renderPlan } from '../../src/render/index.ts';
import { type Page, startBrowser } from '../support/browser.ts';
import { startDashboard } from '../support/dashboard.ts';
import { until } from '../support/gateway/until.ts';

const rows = (page: Page) => page.getByRole('table').locator('tbody > tr');
const counted = (page: Page, wanted: (count: number) => boolean): Promise<void> =>
  until(async () => wanted(await rows(page).count()));

test('working with the dashboard', async (t) => {
  const browser = await startBrowser(t);
  if (browser === undefined) return;
  const dashboard = await startDashboard(t);
  const { platform } = dashboard;

  await t.test('the script of the start page has less than 300 kB', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.getByRole('heading', { name: 'Topology' }).waitFor();
    const loaded = 'performance.getEntriesByType("resource").map(({ name }) => name)';
    const addresses = async () => ((await page.evaluate(loaded)) as string[]).filter((name) => name.endsWith('.js'));
    await until(async () => (await addresses()).length > 1);
    const scripts = await Promise.all((await addresses()).map(async (name) => (await page.request.get(name)).body()));
    const kilobytes = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0) / 1000;
    t.diagnostic(`${Math.round(kilobytes)} kB in ${scripts.length} files`);
    assert.ok(kilobytes > 50 && kilobytes < 300, `${kilobytes} kB`);
  });

  await t.test('an address that was sent by somebody shows what they saw, and clearing shows all', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/network?cluster=nodeport&q=konnectivity'));
    await counted(page, (count) => count > 0);
    const some = await rows(page).count();
    assert.equal(await page.getByLabel('Search flows').inputValue(), 'konnectivity');
    for (const text of await rows(page).allInnerTexts()) assert.match(text, /nodeport/);
    await page.getByRole('button', { name: 'Clear' }).click();
    await counted(page, (count) => count > some);
    assert.equal(new URL(page.url()).search, '');
    await page.goBack();
    await counted(page, (count) => count === some);
  });

  await t.test('a cluster is found and opened with nothing but the keyboard', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.getByRole('heading', { name: 'Topology' }).waitFor();
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Search for a page or a cluster' }).waitFor();
    await page.keyboard.type('single');
    await page.getByRole('option', { name: /single-port/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'single-port' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/clusters/single-port');
  });

  await t.test('a row is opened with the keyboard, and its requirement is explained', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/network'));
    await page.getByRole('button', { name: 'Details' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^[A-Z]+-\d+$/ }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('causeway explain').waitFor();
    assert.match(await drawer.innerText(), /Artefacts: firewall, nftables/);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  await t.test('a requirement is explained wherever it is named', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/clusters/tunneling'));
    const requirement = page.getByRole('button', { name: /^[A-Z]+-/ }).first();
    const name = await requirement.innerText();
    await requirement.click();
    await page.getByText(`causeway explain ${name}`).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('explain'), name);
  });

  await t.test('an existing cluster is changed: what that means is shown first, and its comments stay', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    const file = 'clusters/nodeport.yaml';
    const text = () => readFileSync(path.join(dashboard.directory, file), 'utf8');
    dashboard.write(file, `# why it is here\n${text()}`);
    await page.goto(dashboard.at('/clusters/nodeport'));
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit nodeport' }).waitFor();
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByText('Nothing yet.').waitFor();
    assert.equal(await save.isEnabled(), false);
    await page.getByLabel('Workers').fill('7');
    const changes = page.getByRole('region', { name: 'What you change' });
    await changes.getByText(/Workers: .* → 7/).waitFor();
    await page.getByRole('button', { name: 'Network and access' }).click();
    await page.getByLabel('Who may connect').fill('10.9.0.0/16');
    await page
      .getByText(/10\.9\.0\.0\/16/)
      .last()
      .waitFor();
    await until(() => save.isEnabled());
    await save.click();
    await page.getByRole('heading', { level: 1, name: 'nodeport', exact: true }).waitFor();
    assert.equal(await page.evaluate('window.scrollY'), 0, 'one arrives in the middle of the page');
    assert.match(text(), /^# why it is here\n/);
    assert.match(text(), /count: 7/);
    assert.match(text(), /allowedSourceRanges: \[ 10\.9\.0\.0\/16 \]/);
  });

  await t.test('who changes it second is told, and keeps what was typed', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    const file = path.join(dashboard.directory, 'clusters/nodeport.yaml');
    await page.goto(dashboard.at('/edit-cluster/nodeport'));
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByLabel('Workers').fill('9');
    await until(() => save.isEnabled());
    dashboard.write('clusters/nodeport.yaml', `# changed meanwhile\n${readFileSync(file, 'utf8')}`);
    await save.click();
    await page.getByText('Somebody has changed it meanwhile').waitFor();
    assert.doesNotMatch(readFileSync(file, 'utf8'), /count: 9/);
    await page.getByRole('button', { name: 'Read it again' }).click();
    assert.equal(await page.getByLabel('Workers').inputValue(), '9');
    await until(() => save.isEnabled());
    await save.click();
    await page.getByRole('heading', { level: 1, name: 'nodeport', exact: true }).waitFor();
    assert.match(readFileSync(file, 'utf8'), /^# changed meanwhile\n.*count: 9/s);
  });

  await t.test('what a running cluster cannot follow is said at its field, and cannot be saved', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await pretendRunning(dashboard.directory, 'tunneling', { strategy: 'Tunneling', kubernetesVersion: '1.36.3' });
    await page.goto(dashboard.at('/edit-cluster/tunneling'));
    await page.getByRole('radio', { name: /NodePort/ }).check();
    await page
      .getByText(/was made with the strategy Tunneling and cannot change to NodePort/)
      .first()
      .waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save' }).isEnabled(), false);
  });

  await t.test('the command for a kubeconfig gives the role that was chosen', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/clusters/tunneling'));
    await page.getByRole('button', { name: 'Kubeconfig' }).click();
    const command = page.locator('code', { hasText: 'causeway kubeconfig' });
    assert.equal(await command.innerText(), 'causeway kubeconfig tunneling --role viewer --ttl 8h');
    await page.getByText('Admin', { exact: true }).click();
    assert.equal(await command.innerText(), 'causeway kubeconfig tunneling --role admin --ttl 8h');
  });

  await t.test('the theme that was chosen stays', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    const theme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    assert.equal(await theme(), 'light');
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    await page.goto(dashboard.at('/clusters'));
    assert.equal(await theme(), 'dark');
  });

  await t.test('what is downloaded is what is rendered', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/network'));
    await page.getByRole('button', { name: 'Download' }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /nft/ }).first().click();
    const download = await coming;
    const { plan } = platform.view();
    assert.ok(plan);
    const rendered = renderPlan(plan, { only: ['nftables'] });
    const wanted = rendered.find((file) => path.basename(file.path) === download.suggestedFilename());
    assert.equal(readFileSync(await download.path(), 'utf8'), wanted?.text);
  });

  await t.test('an edge opens its flow: port, reason, who must open it, and when it last worked', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/?view=table'));
    await page.getByRole('button', { name: 'Node agents of tunneling' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Opened by').waitFor();
    const text = await drawer.innerText();
    assert.match(
      text,
      /Ports\s+tcp 8088\n[\s\S]*Last worked\s+\S.*\n[\s\S]*Firewall opens\s+tcp 6443, 8088[\s\S]*Why\s+Kubelets[\s\S]*Opened by\s+you\b/,
    );
  });

  await t.test('every rendered file can be downloaded', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/network'));
    await page.getByRole('button', { name: 'All files' }).click();
    await page.getByRole('menuitem').first().waitFor();
    const offered = (await page.getByRole('menuitem').allInnerTexts()).map((text) => text.split('\n')[0]);
    const { plan } = platform.view();
    assert.ok(plan);
    assert.deepEqual(
      offered.toSorted(),
      renderPlan(plan)
        .map((file) => file.path)
        .toSorted(),
    );
  });

  await t.test('an event is seen while it happens, and found by its level', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/events'));
    await page.getByText('Live', { exact: true }).waitFor();
    platform.record({ kind: 'cluster', level: 'error', subject: 'Cluster/nodeport', message: 'lost its workers' });
    await page.getByText('lost its workers').waitFor();
    assert.match((await rows(page).first().innerText()) ?? '', /lost its workers/);
    await page.goto(dashboard.at('/events?level=error'));
    await counted(page, (count) => count === 1);
  });

  await t.test('an event that happens while the list is on its way is seen too', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    let isFirst = true;
    await page.route(/\/api\/v1\/events(\?|$)/, async (route) => {
      const response = await route.fetch();
      if (isFirst) {
        isFirst = false;
        platform.record({ kind: 'cluster', level: 'warn', subject: 'Cluster/nodeport', message: 'came late' });
        // The stream tells it before the list arrives.
        await page.waitForTimeout(500);
      }
      await route.fulfill({ response });
    });
    await page.goto(dashboard.at('/events'));
    await page.getByText('came late').waitFor({ timeout: 20_000 });
  });

  await t.test('a broken manifest is told everywhere at once, with its place and what to do', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    const file = 'clusters/tunneling.yaml';
    const good = readFileSync(path.join(dashboard.directory, file), 'utf8');
    t.after(() => dashboard.write(file, good));
    dashboard.write(file, good.replace('datacenter:', 'datacentre:'));
    await page.getByText('The manifests cannot be applied as they are').waitFor();
    await page.getByRole('link', { name: 'See what is wrong and where' }).click();
    const card = page.getByRole('article').filter({ hasText: 'datacentre' });
    await card.first().waitFor();
    assert.match(await card.first().innerText(), /clusters\/tunneling\.yaml:\d+:\d+/);
    assert.match(await card.first().innerText(), /datacenter/);
    dashboard.write(file, good);
    await page.getByText('The manifests cannot be applied as they are').waitFor({ state: 'detached' });
  });
});
