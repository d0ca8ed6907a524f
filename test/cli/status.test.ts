import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { Status } from '../../src/api/schema/status.ts';
import { causeway, causewayLater, edit } from '../support/cli.ts';
import { controlledSample } from '../support/controlled-sample.ts';
import { until } from '../support/gateway/until.ts';

test('status says of a cluster that it is starting and how far it is, and of another that it fails', async (t) => {
  const { directory } = await controlledSample(t, { starting: ['tunneling'], trouble: ['nodeport'] });
  const { stdout } = await causewayLater(['status', directory]);
  assert.match(stdout, /^tunneling .* starting \(4 of 10 steps\): kube-apiserver: it is starting/m);
  assert.match(stdout, /^nodeport .* no: the node agent cannot reach the tunnel/m);
  const { clusters } = JSON.parse((await causewayLater(['status', directory, '-o', 'json'])).stdout) as Status;
  const phases = clusters.map(({ name, phase, steps }) => [name, phase, steps?.length]);
  assert.deepEqual(phases, [
    ['loadbalancer', 'ready', undefined],
    ['nodeport', 'failing', undefined],
    ['single-port', 'ready', undefined],
    ['tunneling', 'starting', 10],
  ]);
});

test('status tells the errors of the manifests, also one that only a running platform finds', async (t) => {
  const { platform, directory } = await controlledSample(t);
  const file = path.join(directory, 'clusters/nodeport.yaml');
  edit(file, /kubernetesVersion: \S+/, 'kubernetesVersion: 1.99.0');
  await until(() => platform.view().broken);
  const { stdout } = await causewayLater(['status', directory]);
  assert.match(
    stdout,
    /^Its manifests have errors: what runs is an earlier state\.\n\nclusters\/nodeport\.yaml:\d+:\d+ error CW-VERSION-UNAVAILABLE .*\n.*1\.99\.0 cannot be had: .*\n {2}fix: choose one that can be had: 1\.36\.3/m,
  );
  // It is right by itself, so nothing else could tell.
  assert.match(causeway(['validate', directory]).stdout, /^0 errors, 1 warning$/m);
});
