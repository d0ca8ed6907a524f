import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Page, startBrowser } from '../support/browser.ts';
import { startDashboard } from '../support/dashboard.ts';
import { projectRoot } from '../support/source-tree.ts';

const clusters = 10_000;
const datacenters = 20;
const example = (file: string): string => readFileSync(path.join(projectRoot, 'examples/local', file), 'utf8');

const datacenterName = (number: number): string => `dc-${String(number).padStart(2, '0')}`;
const datacenter = (number: number): string =>
  example('datacenters/local.yaml')
    .replace('name: local', `name: ${datacenterName(number)}`)
    .replace('127.40.0.', `127.42.${number}.`);

const cluster = (number: number): string =>
  `apiVersion: causeway.dev/v1alpha1
kind: Cluster
metadata: { name: c${String(number).padStart(6, '0')} }
spec: { datacenter: ${datacenterName(number % datacenters)}, kubernetesVersion: 1.36.3 }
`;

const many = <Item>(count: number, make: (number: number) => Item): Item[] =>
  Array.from({ length: count }, (_, number) => make(number));
const manifests = {
  'seeds/local.yaml': example('seeds/local.yaml').replace(/capacityGiB: \d+/g, 'capacityGiB: 100000'),
  'datacenters/many.yaml': many(datacenters, datacenter).join('---\n'),
  'clusters/many.yaml': many(clusters, cluster).join('---\n'),
};

/** What a browser has to keep in mind. */
const elements = async (page: Page): Promise<number> => Number(await page.evaluate('document.all.length'));

test('ten thousand clusters on the page', async (t) => {
  const browser = await startBrowser(t);
  if (browser === undefined) return;
  const dashboard = await startDashboard(t, { manifests, tickMs: 10_000 });

  await t.test('are drawn per datacenter', async (t) => {
    const { page, troubles } = await browser.open(t, dashboard.link());
    await page.getByText('10,004 clusters, shown per datacenter').waitFor();
    await page.getByText(datacenterName(7), { exact: true }).first().waitFor();
    assert.ok((await elements(page)) < 4000, `${await elements(page)} elements`);
    assert.deepEqual(troubles, []);
  });

  await t.test('are listed a page at a time, and one is found among them', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/clusters'));
    const rows = page.getByRole('table').locator('tbody > tr');
    await rows.first().waitFor();
    assert.ok((await rows.count()) <= 100, `${await rows.count()} rows`);
    await page.getByPlaceholder('Name, datacenter').fill('c009999');
    await page.getByRole('link', { name: 'c009999' }).waitFor();
    await page.waitForFunction('document.querySelectorAll("tbody > tr").length === 1');
    await page.getByRole('link', { name: 'c009999' }).click();
    await page.getByRole('heading', { name: 'c009999' }).waitFor();
  });

  await t.test('leave the keyboard quick: a name that is typed is what Enter opens', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.getByRole('heading', { name: 'Topology' }).waitFor();
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Search for a page or a cluster' }).fill('c004242');
    await page.getByRole('option', { name: 'c004242' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'c004242' }).waitFor();
  });
});
