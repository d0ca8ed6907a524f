import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/gateway/until.ts';
import { isRunning } from '../sys/is-running.ts';
import { runTool } from './run-tool.ts';

test('many run at once, and none of them leaves anything behind in this process', async (t) => {
  const warnings: string[] = [];
  const hear = (warning: Error): unknown => warnings.push(warning.message);
  process.on('warning', hear);
  t.after(() => process.off('warning', hear));
  const before = process.listenerCount('exit');
  const ran = await Promise.all(Array.from({ length: 12 }, () => runTool('sh', ['-c', 'echo said; exit 3'])));
  assert.deepEqual(new Set(ran.map(({ code, stdout }) => `${code} ${stdout}`)), new Set(['3 said\n']));
  await assert.rejects(runTool('/no/such/program', []), { code: 'ENOENT' });
  assert.deepEqual([warnings, process.listenerCount('exit')], [[], before]);
});

test('what still runs when this process ends is ended too', async () => {
  const here = JSON.stringify(new URL('./run-tool.ts', import.meta.url).href);
  const main = `
    const { runTool } = await import(${here});
    runTool('sh', ['-c', 'echo $$ >&2; exec sleep 600'], { onLine: (pid) => { console.log(pid); process.exit(0); } });`;
  const { stdout } = await runTool(process.execPath, ['--input-type=module', '-e', main]);
  const pid = Number(stdout);
  assert.ok(pid > 0);
  await until(() => !isRunning(pid));
});
