// What the tabs of Network and Egress show is what the plan says, all of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Page, startBrowser } from '../support/browser.ts';
import { startDashboard } from '../support/dashboard.ts';
import { until } from '../support/gateway/until.ts';

const shownBy = (page: Page): Promise<string> => page.getByRole('main').innerText();

/** Waits for all of it, and says what is missing. */
async function shows(page: Page, wanted: readonly (string | number)[]): Promise<void> {
  assert.ok(wanted.length > 0);
  const missing = async (): Promise<unknown[]> => {
    const text = await shownBy(page);
    return wanted.filter((part) => !text.includes(String(part)));
  };
  await until(async () => (await missing()).length === 0).catch(async () => assert.deepEqual(await missing(), []));
}

test('the tabs of the dashboard', async (t) => {
  const browser = await startBrowser(t);
  if (browser === undefined) return;
  const dashboard = await startDashboard(t);
  const { plan } = dashboard.platform.view();
  assert.ok(plan);

  await t.test('names with their addresses', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/network/dns'));
    await shows(
      page,
      plan.dns.records.flatMap(({ name, addresses = [] }) => [name, ...addresses]),
    );
    assert.equal(await page.getByText('Not checked', { exact: true }).count(), plan.dns.records.length);
  });

  await t.test('certificates with their names', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/network/certificates'));
    await shows(
      page,
      plan.certificates.flatMap(({ name, dnsNames }) => [name, dnsNames[0] ?? name]),
    );
  });

  await t.test('pools with what is used, and who has which address and port', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/network/addresses'));
    const { pools, nodePorts } = plan.addresses;
    await shows(page, [
      ...pools.flatMap(({ pool, capacity, allocations }) => [
        pool,
        capacity,
        ...allocations.flatMap((one) => one.addresses),
      ]),
      ...nodePorts.flatMap(({ range, allocations }) => [
        range,
        ...allocations.flatMap((one) => [one.apiServer, one.konnectivity]),
      ]),
    ]);
  });

  await t.test('hosts of the allow-list, page by page', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/egress'));
    const hosts = plan.egress.entries.map(({ host }) => host);
    for (let first = 0; first < hosts.length; first += 50) {
      await shows(page, [`${first + 1}–`, ...hosts.slice(first, first + 50)]);
      if (first + 50 < hosts.length) await page.getByRole('button', { name: 'Next page' }).click();
    }
  });

  await t.test('effective proxies with what goes past them, and no password', async (t) => {
    const { page } = await browser.open(t, dashboard.link());
    await page.goto(dashboard.at('/egress/proxy'));
    const places = Object.values(plan.proxy.places).filter(({ http }) => http !== undefined);
    const details = page.getByRole('button', { name: 'Details' });
    await details.first().waitFor();
    for (const button of await details.all()) await button.click();
    await shows(
      page,
      places.flatMap(({ http = '', noProxy = [] }) => [http.replace('http://', ''), ...noProxy]),
    );
    assert.doesNotMatch(await shownBy(page), /\w+:\w+@/);
  });

  await t.test(
    'lines of the topology with the ports that each cluster needs, and from where they were seen',
    async (t) => {
      const { page } = await browser.open(t, dashboard.link());
      await page.goto(dashboard.at('/?view=picture'));
      const line = (from: string, to: string) => page.locator(`[data-edge="${from}→${to}"]`);
      const { nodeport, loadbalancer } = plan.endpoints;
      assert.ok(nodeport && loadbalancer);
      const [first, second] = [nodeport.apiServer.port, nodeport.konnectivity.port];
      await line('workers/nodeport', 'gateway/local')
        .filter({ hasText: `${first}, ${second}` })
        .waitFor();
      const users = line('users', 'gateway/local').filter({
        hasText: `6443, ${loadbalancer.apiServer.port}, ${first}`,
      });
      await users.waitFor();
      await users.click();
      const drawer = page.getByRole('dialog');
      await drawer.getByText(`tcp 6443, ${loadbalancer.apiServer.port}, ${first}`).waitFor();
      // What firewalls open for all clusters of the seed is said apart from what these need.
      await drawer.getByText(`tcp ${plan.addresses.nodePorts[0]?.range}`).first().waitFor();
      await drawer.getByText('this machine').waitFor();
    },
  );
});
