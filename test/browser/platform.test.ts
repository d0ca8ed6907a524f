// The dashboard of a platform where everything is real: what is clicked happens, and what happens is seen.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { running } from '../e2e/up/running.ts';
import { type Page, startBrowser } from '../support/browser.ts';
import { endOrphan } from '../support/child-process.ts';
import { createUndoList } from '../support/gateway/undo.ts';
import { until } from '../support/gateway/until.ts';
import { localPlatform } from '../support/local-platform.ts';
import { needPlatformPrograms } from '../support/platform-programs.ts';
import { flawsOf } from './every-page.ts';

const runFile = promisify(execFile);
const timeoutMs = 180_000;

/** "5.3 MB out" of the details of a connection, in bytes. */
async function bytesOut(page: Page): Promise<number> {
  const text = await page
    .getByRole('dialog')
    .getByText(/ in, [\d.]+ \wB out| in, [\d.]+ B out/)
    .last()
    .innerText();
  const [, figure = '', unit = ''] = /([\d.]+) (\w+) out$/.exec(text) ?? [];
  return Number(figure) * 1000 ** ['B', 'kB', 'MB', 'GB'].indexOf(unit);
}

test('the dashboard of a running platform', async (t) => {
  const browser = await startBrowser(t);
  const real = await needPlatformPrograms(t);
  if (browser === undefined || real === undefined) return;
  const local = localPlatform();
  // Undone backwards: what runs ends before its directory goes.
  const undo = createUndoList();
  t.after(() => undo.run());
  undo.after(() => local.remove());
  // One cluster is enough to look at, and the others would only take time.
  for (const name of ['loadbalancer', 'nodeport', 'single-port']) rmSync(local.at(`clusters/${name}.yaml`));
  const platform = running(local, real.kubectl);
  undo.after(() => platform.causeway('down'));
  const started = await platform.up();
  assert.equal(started.code, 0, started.stdout + started.stderr);
  const [link = ''] = /http:\S+\?token=\S+/.exec(started.stdout) ?? [];
  const { page, troubles } = await browser.open(t, link);
  const at = (address: string): string => new URL(address, link).href;

  await t.test('the topology shows that everything works', async () => {
    await page.getByRole('heading', { name: 'Topology' }).waitFor();
    await page
      .getByRole('link', { name: /tunneling/ })
      .first()
      .waitFor();
    const edges = (health: string): Promise<number> => page.locator(`[data-edge][data-health="${health}"]`).count();
    // Edges are drawn after the nodes, so none that is bad is not enough.
    await until(async () => (await edges('good')) >= 3 && (await edges('bad')) === 0, timeoutMs);
  });

  await t.test('status gives an address that lets another browser in, and each page is whole there', async (t) => {
    const [again = ''] = /http:\S+\?token=\S+/.exec((await platform.causeway('status')).stdout) ?? [];
    const other = await browser.open(t, again, { width: 400, theme: 'dark' });
    await other.page.getByRole('heading', { name: 'Topology' }).waitFor();
    assert.deepEqual(await flawsOf(other.page, at), []);
    assert.deepEqual(other.troubles, []);
  });

  await t.test('certificates tell when they end', async () => {
    await page.goto(at('/network/certificates'));
    const ends = page.getByRole('row').filter({ hasText: /in \d+ d/ });
    await ends.first().waitFor();
    assert.ok((await ends.count()) >= 3, await page.getByRole('main').innerText());
  });

  await t.test('the bytes of an edge rise by what kubectl moved', async () => {
    const file = local.at('big.json');
    const text = randomBytes(600_000).toString('base64');
    writeFileSync(
      file,
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'big' }, data: { text } }),
    );
    await platform.kubectl('tunneling', ['create', '-f', file]);
    await page.goto(at('/?view=table'));
    await page.getByRole('button', { name: 'Control plane of tunneling' }).click();
    const before = await bytesOut(page);
    let moved = 0;
    for (let turn = 0; turn < 6; turn++) {
      const path = '/api/v1/namespaces/default/configmaps/big';
      moved += (await platform.kubectl('tunneling', ['get', '--raw', path, '--disable-compression'])).length;
    }
    await until(async () => (await bytesOut(page)) >= before + moved * 0.97, 30_000);
    const rise = (await bytesOut(page)) - before;
    assert.ok(rise < moved * 1.5, `kubectl moved ${moved} bytes, and the edge says ${rise}`);
  });

  await t.test('killing an agent turns its edge red, and its return turns it green', async () => {
    await page.goto(at('/'));
    const agents = page.locator('[data-edge*="workers/tunneling"]').first();
    await agents.waitFor();
    const isRed = async (): Promise<boolean> => (await agents.getAttribute('data-health')) === 'bad';
    // It is started again at once, so it is killed until somebody could have seen it.
    await until(async () => {
      const { pid } = await platform.component('worker/tunneling', 'konnectivity-agent');
      if (pid !== undefined) endOrphan(pid);
      return isRed();
    }, timeoutMs);
    await page.getByText('Konnectivity agents of tunneling').first().waitFor();
    await until(async () => !(await isRed()), timeoutMs);
  });

  await t.test('a cluster is created by clicking and reached by kubectl', async () => {
    await page.goto(at('/clusters'));
    await page
      .getByRole('link', { name: /new cluster/i })
      .first()
      .click();
    await page.getByLabel('Name').fill('clicked');
    await page.getByRole('radio', { name: /NodePort/ }).check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'clicked' }).waitFor();
    await page.getByText('Ready', { exact: true }).first().waitFor({ timeout: timeoutMs });
    await page.getByRole('button', { name: 'Kubeconfig' }).click();
    await page.getByText('Admin', { exact: true }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const kubeconfig = await (await coming).path();
    const { stdout } = await runFile(real.kubectl, ['--kubeconfig', kubeconfig, 'get', 'nodes', '--no-headers']);
    assert.match(stdout, /\sReady\s/);
  });

  await t.test('a cluster is deleted by clicking, with all that it kept', async () => {
    await page.goto(at('/clusters/clicked'));
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel('Type clicked to go on').fill('clicked');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Clusters' }).waitFor();
    await page.getByRole('link', { name: 'clicked' }).waitFor({ state: 'detached' });
    assert.ok(!existsSync(local.at('clusters/clicked.yaml')));
    await until(() => !existsSync(local.at('.causeway/clusters/clicked')), timeoutMs);
    const { clusters } = await platform.status();
    assert.deepEqual(
      clusters.map(({ name, ready }) => [name, ready]),
      [['tunneling', true]],
    );
  });

  assert.deepEqual(troubles, []);
});
