import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { commandLine } from '../support/cli.ts';
import { controlledSample } from '../support/controlled-sample.ts';
import { until } from '../support/gateway/until.ts';

test('logs --follow shows the last lines once, and goes on with what comes as it was written', async (t) => {
  const { platform, directory } = await controlledSample(t);
  platform.followLogs = (_scope, _name, line) => {
    const timer = setInterval(() => line('  goes on'), 50);
    return () => clearInterval(timer);
  };
  const args = [commandLine, 'logs', 'etcd', '--cluster', 'tunneling', '--lines', '2', '--follow', '--dir', directory];
  const child = spawn(process.execPath, args);
  t.after(() => child.kill());
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (data) => (said += data));
  await until(() => said.includes('goes on\n') || child.exitCode !== null);
  assert.match(said, /^[^\n]*line 19 of the sample\n[^\n]*line 20 of the sample\n {2}goes on\n/);
  child.kill();
  await once(child, 'exit');
});
