// `causeway logs` against a platform that answers on its control socket, with nothing running behind it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { sampleApi } from '../../src/api/testing/sample-api.ts';
import { platformHome } from '../../src/control-plane/home.ts';
import { serveControl } from '../../src/up/control/control-server.ts';
import { prepareState } from '../../src/up/directory/prepare-state.ts';
import { commandLine } from '../support/cli.ts';
import { until } from '../support/gateway/until.ts';

/** The directory of a platform that can be asked. */
async function controlled(t: TestContext): Promise<string> {
  const { api, platform, directory } = await sampleApi(t, { tickMs: 50 });
  platform.followLogs = (_scope, _name, line) => {
    const timer = setInterval(() => line('  goes on'), 50);
    return () => clearInterval(timer);
  };
  const home = platformHome(directory);
  prepareState(home);
  const trusted = getRequestListener((request, env) => api.app.fetch(request, { ...env, trusted: true } as never));
  const nothing = (): string => '';
  const server = await serveControl({ socket: home.controlSocket, api: trusted, link: nothing, stop: nothing });
  t.after(() => server.close());
  return directory;
}

test('logs --follow shows the last lines once, and goes on with what comes as it was written', async (t) => {
  const directory = await controlled(t);
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
