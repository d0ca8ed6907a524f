import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barriers, overflow, startBrowser, type View } from '../support/browser.ts';
import { startDashboard } from '../support/dashboard.ts';
import { until } from '../support/gateway/until.ts';

/** Every page with what one must see there. */
const pages: Readonly<Record<string, string>> = {
  '/': 'Topology',
  '/?view=table': 'Topology',
  '/clusters': 'Clusters',
  '/clusters/tunneling': 'tunneling',
  '/create-cluster': 'New cluster',
  '/edit-cluster/tunneling': 'Edit tunneling',
  '/network': 'Network',
  '/network/dns': 'Network',
  '/network/certificates': 'Network',
  '/network/addresses': 'Network',
  '/egress': 'Egress',
  '/egress/proxy': 'Egress',
  '/findings': 'Findings',
  '/events': 'Events',
};

const views: readonly View[] = [
  { width: 1280, theme: 'light' },
  { width: 400, theme: 'dark' },
];

test('the pages of the dashboard', async (t) => {
  const browser = await startBrowser(t);
  if (browser === undefined) return;
  const dashboard = await startDashboard(t, { trouble: ['nodeport'] });

  for (const view of views) {
    await t.test(`are whole, free of barriers and not too wide: ${view.width} px, ${view.theme}`, async (t) => {
      const { page, troubles } = await browser.open(t, dashboard.link(), view);
      const found: string[] = [];
      for (const [address, title] of Object.entries(pages)) {
        await page.goto(dashboard.at(address));
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        await until(async () => (await page.getByLabel('Loading').count()) === 0);
        found.push(...(await barriers(page)).map((barrier) => `${address} ${barrier}`));
        const pixels = await overflow(page);
        if (pixels > 0) found.push(`${address} is ${pixels} pixels wider than its window`);
      }
      assert.deepEqual(found, []);
      assert.deepEqual(troubles, []);
    });
  }
});
