// What the launcher starts from the second time on: the same commands from a bundle.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeBundle } from '../../../src/cli/bundle/make-bundle.ts';
import { causewayLater } from '../../support/cli.ts';
import { undoAfter } from '../../support/gateway/undo.ts';
import { localPlatform } from '../../support/local-platform.ts';
import { needPlatformPrograms } from '../../support/platform-programs.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { running } from './running.ts';

const examples = (name: string): string => path.join(projectRoot, 'examples', name);

test('a bundle of the sources does what they do', async (t) => {
  const undo = undoAfter(t);
  // Where packages are found, as for the real one.
  const home = mkdtempSync(path.join(projectRoot, 'node_modules/.bundle-test-'));
  undo.after(() => rmSync(home, { recursive: true, force: true }));
  const main = await makeBundle(projectRoot, home);

  for (const args of [
    ['--help'],
    ['version'],
    ['validate', examples('vsphere')],
    ['render', examples('behind-proxy'), '--check'],
    ['plan', examples('vsphere'), '-o', 'json'],
    ['explain', 'PRT-8'],
    ['no-such-command'],
  ])
    await t.test(`answers "${args[0]}" in the same words`, async () => {
      assert.deepEqual(await causewayLater(args, { main }), await causewayLater(args));
    });

  await t.test('finds the templates that lie beside the sources', async () => {
    const { code, stderr } = await causewayLater(
      ['init', path.join(home, 'first'), '--template', 'behind-proxy', '--force'],
      {
        main,
      },
    );
    assert.equal(code, 0, stderr);
  });

  await t.test('earlier bundles stay, for those who still run them, but not for ever', async () => {
    for (let round = 0; round < 9; round++) await makeBundle(projectRoot, home);
    const bundles = readdirSync(home).filter((name) => /^\d+-/.test(name));
    assert.equal(bundles.length, 9);
    assert.ok(!bundles.includes(path.basename(path.dirname(main))));
  });
});

test('a whole platform runs from a bundle', async (t) => {
  const real = await needPlatformPrograms(t);
  if (real === undefined) return;
  const undo = undoAfter(t);
  const home = mkdtempSync(path.join(projectRoot, 'node_modules/.bundle-test-'));
  undo.after(() => rmSync(home, { recursive: true, force: true }));
  const main = await makeBundle(projectRoot, home);
  const local = localPlatform();
  undo.after(() => local.remove());
  const platform = running(local, real.kubectl, main);
  undo.after(() => platform.causeway('down'));

  const { code, stdout, stderr } = await platform.up('--clusters', 'tunneling');
  assert.equal(code, 0, stdout + stderr);
  assert.equal((await platform.kubectl('tunneling', ['get', 'nodes'])).match(/ Ready /g)?.length, 2);
  const page = await fetch(/http:\S+token=\S+/.exec(stdout)?.[0] ?? '');
  assert.match(await page.text(), /<div id="root">/);
  const join = await platform.causeway('cluster', 'join', 'tunneling');
  assert.match(join.stdout, /^#!\/bin\/sh[\s\S]*kubeadm join/, join.stderr);
});
