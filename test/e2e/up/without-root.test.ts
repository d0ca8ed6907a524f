// A platform of somebody who is not root. Where the test is, it becomes a person without any privilege by a user namespace:
// the files of the cache and of the checkout stay readable.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Status } from '../../../src/cli/up/summary.ts';
import { commandLine } from '../../support/cli.ts';
import { undoAfter } from '../../support/gateway/undo.ts';
import { localPlatform } from '../../support/local-platform.ts';
import { needPlatformPrograms } from '../../support/platform-programs.ts';

const runFile = promisify(execFile);
const person = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'] : [];

function asPerson(cwd: string, ...command: string[]): Promise<{ stdout: string }> {
  const [program = '', ...args] = [...person, ...command];
  return runFile(program, args, { cwd });
}

test('up needs no root', async (t) => {
  const real = await needPlatformPrograms(t);
  if (real === undefined) return;
  const undo = undoAfter(t);
  const local = localPlatform();
  undo.after(() => local.remove());
  const causeway = async (...args: string[]): Promise<string> =>
    (await asPerson(local.directory, process.execPath, commandLine, ...args)).stdout;
  undo.after(() => causeway('down').catch(() => undefined));
  assert.notEqual((await asPerson(local.directory, 'id', '-u')).stdout.trim(), '0');

  const said = await causeway('up', '--detach', '--wait', '3m', '--port', '0');
  assert.match(said, /^tunneling .* 2\/2 +yes$/m);
  const { components } = JSON.parse(await causeway('status', '-o', 'json')) as Status;
  const pids = components.flatMap(({ pid }) => pid ?? []);
  assert.ok(pids.length > 20, `${pids.length} processes`);
  for (const pid of pids) assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), /^CapEff:\s+0{16}$/m);
  const config = local.at('single-port.kubeconfig');
  writeFileSync(config, await causeway('kubeconfig', 'single-port'), { mode: 0o600 });
  const { stdout: nodes } = await asPerson(local.directory, real.kubectl, '--kubeconfig', config, 'get', 'nodes');
  assert.equal(nodes.match(/ Ready /g)?.length, 2, nodes);
});
