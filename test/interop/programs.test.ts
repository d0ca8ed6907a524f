import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { CausewayError } from '../../src/core/errors.ts';
import { needPrograms } from '../../src/programs/index.ts';
import { scratch } from '../support/cli.ts';
import { needReal } from '../support/real-programs.ts';

test('Envoy comes into an empty cache over the network, and runs', async (t) => {
  const env = { ...process.env, CAUSEWAY_CACHE: scratch(t), CAUSEWAY_PROGRAMS: '' };
  try {
    const { envoy } = await needPrograms(['envoy'], { env });
    assert.match(execFileSync(envoy, ['--version'], { encoding: 'utf8' }), /\/1\.39\.3\/Clean\/RELEASE\//);
  } catch (error) {
    if (process.env.CI === 'true' || !(error instanceof CausewayError)) throw error;
    t.skip(error.message);
  }
});

test('etcd, kube-apiserver and kubectl of one machine are what they were asked for as', async (t) => {
  const real = await needReal(t, 'etcd', 'kube-apiserver', 'kubectl');
  if (!real) return;
  assert.match(execFileSync(real.etcd, ['--version'], { encoding: 'utf8' }), /^etcd Version: 3\.7\.3$/m);
  assert.equal(execFileSync(real['kube-apiserver'], ['--version'], { encoding: 'utf8' }), 'Kubernetes v1.36.3\n');
  const { clientVersion } = JSON.parse(
    execFileSync(real.kubectl, ['version', '--client', '-o', 'json'], { encoding: 'utf8' }),
  );
  assert.deepEqual([clientVersion.gitVersion, clientVersion.major, clientVersion.minor], ['v1.36.3', '1', '36']);
});
