import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBrowser, type View } from '../support/browser.ts';
import { startDashboard } from '../support/dashboard.ts';
import { flawsOf } from './every-page.ts';

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
      assert.deepEqual(await flawsOf(page, dashboard.at), []);
      assert.deepEqual(troubles, []);
    });
  }
});
