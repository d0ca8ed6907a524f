import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { causeway, copyOf, edit, exampleDir } from '../support/cli.ts';

const explain = (...args: string[]) => causeway(['explain', ...args]);

test('explains a field, however it is written', () => {
  const text = explain('cluster', 'spec.network.agentIP').stdout;
  assert.match(text, /100\.64\.30\.10/);
  assert.equal(explain('clusters.network.agentip').stdout, text);
});

test('an effective value says who set it, and what it overrode', (t) => {
  const dir = copyOf(t, 'vsphere');
  edit(path.join(dir, 'clusters/shop.yaml'), 'tenant: shop\n', 'tenant: shop\n  exposeStrategy: NodePort\n');
  const { code, stdout, stderr } = explain('Cluster/shop', 'exposeStrategy', '--dir', dir);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^exposeStrategy +NodePort +Cluster\/shop spec\.exposeStrategy$/m);
  assert.match(stdout, /^exposeStrategy +Tunneling +overridden: Platform\/example spec\.exposeStrategy$/m);
});

test('a field that is not inherited shows what the document says', () => {
  const { stdout } = explain('cluster/shop', 'kubernetesVersion', '--dir', exampleDir('vsphere'));
  assert.match(stdout, /^kubernetesVersion +1\.\d+\.\d+ +Cluster\/shop spec\.kubernetesVersion$/m);
  assert.match(explain('addresspool/vsphere-management', '--dir', exampleDir('vsphere')).stdout, /^ranges +10\./m);
});

test('what does not exist is refused with what was meant', () => {
  const refused = explain('Cluster/shopp', '--dir', exampleDir('vsphere'));
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /did you mean Cluster\/shop\?/);
  assert.equal(explain('CW-CIDR-OVERLAP', 'title').code, 2);
  assert.equal(explain('cluster', 'spec.nothing').code, 2);
});
