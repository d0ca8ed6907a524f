// A cluster that is starting, beside one that fails: what people see of either.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barriers, overflow, type Page, startBrowser } from '../support/browser.ts';
import { startDashboard } from '../support/dashboard.ts';
import { until } from '../support/gateway/until.ts';

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });

test('a cluster that is starting', async (t) => {
  const browser = await startBrowser(t);
  if (browser === undefined) return;
  const dashboard = await startDashboard(t, { starting: ['tunneling'], trouble: ['nodeport'] });

  await t.test('is called so in the list, with its step; what fails is not', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/clusters'));
    await rowOf(page, 'tunneling').getByText('Starting', { exact: true }).waitFor();
    assert.match(await rowOf(page, 'tunneling').innerText(), /Step 4 of 10: API server/);
    assert.doesNotMatch(await rowOf(page, 'tunneling').innerText(), /Not ready|Fails/);
    await rowOf(page, 'nodeport').getByText('Not ready', { exact: true }).waitFor();
  });

  for (const theme of ['light', 'dark'] as const)
    for (const width of [1280, 400])
      await t.test(`shows its steps, and that nothing has worked yet (${theme}, ${width})`, async (t) => {
        const { page, troubles } = await browser.open(t, dashboard.link(), { theme, width });
        await page.goto(dashboard.at('/clusters/tunneling'));
        const steps = page.getByRole('region', { name: 'It is starting' });
        await steps.getByText('4 of 10 steps done').waitFor();
        assert.match(await steps.innerText(), /API server\s*, under way\s+It is starting: connection refused\./);
        const text = await page.getByRole('main').innerText();
        assert.doesNotMatch(text, /Fails|Not ready/);
        assert.ok((text.match(/Last worked\s+never/g) ?? []).length >= 3, text);
        assert.deepEqual(await barriers(page), []);
        assert.equal(await overflow(page), 0);
        assert.deepEqual(troubles, []);
      });

  await t.test('is not red in the topology, and its connections have never worked', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.locator('[data-node="cluster/tunneling"][data-health="busy"]').waitFor();
    await until(async () => (await page.locator('[data-edge*="cluster/tunneling"]').count()) > 0);
    const bad = await page
      .locator('[data-edge][data-health="bad"]')
      .evaluateAll((all) => all.map((edge) => edge.getAttribute('data-edge')));
    assert.ok(bad.length > 0 && bad.every((edge) => edge?.includes('nodeport')), bad.join());
    await page.goto(dashboard.at('/?view=table'));
    const row = rowOf(page, 'Control plane of tunneling');
    await row.getByText('Starting', { exact: true }).waitFor();
    assert.match(await row.innerText(), /never/);
  });
});
