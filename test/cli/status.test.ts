import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '../../src/api/schema/status.ts';
import { causewayLater } from '../support/cli.ts';
import { controlledSample } from '../support/controlled-sample.ts';

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
