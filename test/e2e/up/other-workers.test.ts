// A directory that was run with one kind of workers, and is started again with another: it has only those nodes.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { undoAfter } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { localPlatform } from '../../support/local-platform.ts';
import { needPlatformPrograms } from '../../support/platform-programs.ts';
import { running } from './running.ts';

const labelled = { 'causeway.dev/worker': 'demo' };
const nodeObject = (name: string, labels = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels },
  spec: { unschedulable: true },
});

test('whoever changes the workers of a directory gets only those nodes', async (t) => {
  const real = await needPlatformPrograms(t);
  if (real === undefined) return;
  const undo = undoAfter(t);
  const local = localPlatform();
  undo.after(() => local.remove());
  const platform = running(local, real.kubectl);
  undo.after(() => platform.causeway('down'));
  const kubectl = (...args: string[]): Promise<string> => platform.kubectl('tunneling', args);
  const nodes = async (): Promise<string[]> => (await kubectl('get', 'nodes', '-o', 'name')).trim().split('\n').sort();
  const nodeOfPod = (): Promise<string> => kubectl('get', 'pods', '-o', 'jsonpath={.items[*].spec.nodeName}');
  const start = async (...flags: string[]): Promise<void> => {
    const { code, stdout, stderr } = await platform.up('--clusters', 'tunneling', ...flags);
    assert.equal(code, 0, stdout + stderr);
  };
  const counted = async () => (await platform.status()).clusters[0]?.nodes;

  await start();
  // A machine that somebody joined, and one that somebody gave our label: neither is ours.
  writeFileSync(local.at('node.json'), JSON.stringify(nodeObject('machine-7')));
  writeFileSync(local.at('labelled.json'), JSON.stringify(nodeObject('machine-8', labelled)));
  await kubectl('create', '-f', local.at('node.json'));
  await kubectl('create', 'deployment', 'web', '--image=example.invalid/web');
  await until(async () => /^tunneling-\d$/.test(await nodeOfPod()), 60_000);

  await t.test('status counts the nodes that kubectl shows, also those of others', async () => {
    assert.deepEqual(await nodes(), ['node/machine-7', 'node/tunneling-1', 'node/tunneling-2']);
    await until(async () => (await counted())?.total === 3, 10_000);
    assert.deepEqual(await counted(), { ready: 2, total: 3 });
    assert.match((await platform.causeway('status')).stdout, /^tunneling .* 2\/3 +yes$/m);
  });

  await t.test('without workers no demo node stays, and their pods wait for another', async () => {
    await platform.causeway('down');
    await start('--workers', 'none');
    assert.deepEqual(await nodes(), ['node/machine-7']);
    assert.deepEqual(await counted(), { ready: 0, total: 1 });
    await until(async () => /^web-\S+ +0\/1 +Pending/m.test(await kubectl('get', 'pods')), 20_000);
    assert.equal(await nodeOfPod(), '');
  });

  await t.test('with fewer demo nodes there are fewer, and the pods of the others are started there', async () => {
    await kubectl('create', '-f', local.at('labelled.json'));
    await platform.causeway('down');
    await start('--workers', 'demo');
    // Not before both take pods: a node keeps its taint for a moment after it is Ready, and the other would get them all.
    const taints = () =>
      kubectl('get', 'nodes', 'tunneling-1', 'tunneling-2', '-o', 'jsonpath={.items[*].spec.taints}');
    await until(async () => (await taints()) === '', 30_000);
    await kubectl('scale', 'deployment', 'web', '--replicas=4');
    const onNodes = async () => [...new Set((await nodeOfPod()).split(' '))].sort().join();
    const explain = async (error: Error): Promise<never> =>
      assert.fail(`${error.message}\n${await kubectl('get', 'nodes,pods,events', '-o', 'wide')}`);
    await until(async () => (await onNodes()) === 'tunneling-1,tunneling-2', 60_000).catch(explain);
    local.edit('clusters/tunneling.yaml', (text) => text.replace('count: 2', 'count: 1'));
    // Sooner than Kubernetes finds pods of a node that is gone, which takes it a minute.
    await until(async () => (await onNodes()) === 'tunneling-1', 25_000).catch(explain);
    assert.equal((await nodeOfPod()).split(' ').length, 4);
    assert.deepEqual(await nodes(), ['node/machine-7', 'node/machine-8', 'node/tunneling-1']);
  });

  await t.test('what is labelled by hand stays without workers', async () => {
    await platform.causeway('down');
    await start('--workers', 'none');
    assert.deepEqual(await nodes(), ['node/machine-7', 'node/machine-8']);
    await until(async () => (await counted())?.total === 2, 10_000);
  });
});
