import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { gatewayFamilies } from '../../src/gateway/supervisor/metrics.ts';
import { exposition } from '../../src/net/index.ts';
import { scratch } from '../support/cli.ts';
import { needProgram } from '../support/programs.ts';

const library = 'prometheus_client';
const reader = [
  'import json, sys',
  `from ${library}.parser import text_string_to_metric_families as read`,
  'print(json.dumps([[s.name, s.labels, s.value] for f in read(sys.stdin.read()) for s in f.samples]))',
].join('\n');

/** Environment in which Python knows Prometheus' library; fetched into a directory where it is not installed. */
function withLibrary(t: TestContext, python: string): NodeJS.ProcessEnv | undefined {
  const knows = (env: NodeJS.ProcessEnv): boolean =>
    spawnSync(python, ['-c', `import ${library}`], { env }).status === 0;
  if (knows(process.env)) return process.env;
  const dir = path.join(scratch(t), 'python');
  const env = { ...process.env, PYTHONPATH: dir };
  spawnSync(python, ['-m', 'pip', 'install', '--quiet', '--target', dir, library], { env });
  return knows(env) ? env : undefined;
}

test('Prometheus’ own parser reads the metrics of a gateway as they were meant', (t) => {
  const python = needProgram(t, 'python3');
  if (python === undefined) return;
  const env = withLibrary(t, python);
  if (env === undefined) return t.skip(`Python has no ${library}: apt-get install python3-prometheus-client.`);
  const version = '7 "quoted" \\ \n\u2028é';
  const series = new Map([
    ['connections a apiServer', 4],
    ['open a apiServer', 1],
    ['sent a apiServer', 2 ** 53 - 1],
    ['received a apiServer', 0],
    ['refusals a apiServer  too-fast', 2],
    ['refusals   sni unknown-sni', 5],
  ]);
  const state = { rejected: true, appliedAt: 1500, workersWanted: 2, workersReady: 1, workerRestarts: 3, listeners: 4 };
  const input = exposition(
    gatewayFamilies({ ...state, series, version, memory: [{ process: 'supervisor', bytes: 1 }] }),
  );
  const { stdout, stderr } = spawnSync(python, ['-c', reader], { input, env, encoding: 'utf8' });
  assert.equal(stderr, '');
  const samples = JSON.parse(stdout) as [name: string, labels: Record<string, string>, value: number][];
  const of = (name: string) =>
    samples.filter((sample) => sample[0] === `causeway_gateway_${name}`).map(([, ...rest]) => rest);
  assert.deepEqual(of('snapshot_info'), [[{ version }, 1]]);
  assert.deepEqual(of('refusals_total'), [
    [{ reason: 'too-fast', cluster: 'a', service: 'apiServer' }, 2],
    [{ reason: 'unknown-sni', listener: 'sni' }, 5],
  ]);
  assert.deepEqual(of('bytes_total')[0], [{ cluster: 'a', service: 'apiServer', direction: 'sent' }, 2 ** 53 - 1]);
  assert.equal(samples.length, input.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length);
});
