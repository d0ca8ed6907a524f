// `causeway audit`: what commands do is written down, and a change of the log is found.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { causewayLater, copyOf } from '../support/cli.ts';
import { controlledSample } from '../support/controlled-sample.ts';

const causeway = (...args: string[]) => causewayLater(args);

test('has what commands do by the control socket, and tells when it was changed', async (t) => {
  const { directory } = await controlledSample(t, { command: () => Promise.resolve({ name: 'b1', keys: true }) });
  await causeway('kubeconfig', 'tunneling', '--dir', directory);
  await causeway('cluster', 'backup', 'tunneling', '--dir', directory);
  const listed = await causeway('audit', 'list', '--dir', directory, '-o', 'json');
  const entries = JSON.parse(listed.stdout) as { who: string; via: string; what: string }[];
  assert.deepEqual(
    entries.map(({ who, via, what }) => [who, via, what]),
    [
      ['owner', 'control', 'GET /api/v1/clusters/tunneling/kubeconfig'],
      ['owner', 'control', 'POST /control/clusters/tunneling/backups'],
    ],
  );
  assert.match((await causeway('audit', 'list', '--dir', directory)).stdout, /^ENTRY +AT +WHO/);
  const whole = await causeway('audit', 'verify', '--dir', directory);
  assert.match(whole.stdout, /^2 entries \(1 to 2\) are as they were written/);
  assert.equal(whole.code, 0);

  const file = path.join(directory, '.causeway/audit/audit.log');
  writeFileSync(file, readFileSync(file, 'utf8').replace('kubeconfig', 'something'));
  const changed = await causeway('audit', 'verify', '--dir', directory);
  assert.match(changed.stderr, /audit\.log:1 entry 1 was changed/);
  assert.match(changed.stderr, /CW-AUDIT-CHANGED/);
  assert.equal(changed.code, 3);
});

test('is not there before the platform ran', async (t) => {
  const none = await causeway('audit', 'verify', '--dir', copyOf(t, 'local'));
  assert.match(none.stderr, /CW-AUDIT-NONE/);
  assert.notEqual(none.code, 0);
});
