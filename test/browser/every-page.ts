// Each page of the dashboard, one after the other: is it whole, can everybody use it, does it fit.
import { barriers, overflow, type Page } from '../support/browser.ts';
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
  '/access': 'Access',
  '/clusters/tunneling/kubeconfigs': 'tunneling',
};

/** The page has logged in already. */
export async function flawsOf(page: Page, at: (address: string) => string): Promise<string[]> {
  const found: string[] = [];
  for (const [address, title] of Object.entries(pages)) {
    await page.goto(at(address));
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await until(async () => (await page.getByLabel('Loading').count()) === 0, 30_000);
    found.push(...(await barriers(page)).map((barrier) => `${address} ${barrier}`));
    const pixels = await overflow(page);
    if (pixels > 0) found.push(`${address} is ${pixels} pixels wider than its window`);
  }
  return found;
}
