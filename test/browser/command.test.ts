import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBrowser } from '../support/browser.ts';
import { startDashboard } from '../support/dashboard.ts';

const command = '/opt/some-checkout/causeway';
const directory = '/srv/platform';

test('the page shows and copies commands by the name that the platform was started by', async (t) => {
  const browser = await startBrowser(t);
  if (browser === undefined) return;
  const dashboard = await startDashboard(t, { started: { command, directory } });
  const { page } = await browser.open(t, dashboard.at('/login'));
  await page.getByText(`${command} status ${directory}`).waitFor();
  await page.goto(dashboard.link());
  await page.getByRole('heading', { name: 'Topology' }).waitFor();
  await page.goto(dashboard.at('/clusters/tunneling'));
  await page.getByRole('button', { name: 'Kubeconfig' }).click();
  await page.getByText(`${command} kubeconfig tunneling --role viewer --ttl 8h --dir ${directory}`).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the command' }).last().click();
  const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
  assert.ok(copied.startsWith(`${command} `), copied);
  assert.match(copied, / --dir \/srv\/platform/);
});
