// A gateway that is told by its admin socket, as the platform tells its own.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { clusterOf, snapshotOf } from '../../test/conformance/gateway/scene.ts';
import { type Running, run } from '../../test/support/child-process.ts';
import { scratch } from '../../test/support/cli.ts';
import { plainBackend } from '../../test/support/gateway/backends.ts';
import { accepts, tcp } from '../../test/support/gateway/clients.ts';
import { main } from '../../test/support/gateway/own-gateway.ts';
import { freePort } from '../../test/support/gateway/ports.ts';
import { until } from '../../test/support/gateway/until.ts';
import { type GatewayClient, gatewayClient, type Snapshot } from './index.ts';

interface Managed {
  readonly process: Running;
  readonly client: GatewayClient;
  readonly snapshotFile: string;
}

/** With what lies there already, if anything. */
async function startManaged(t: TestContext, before?: Snapshot): Promise<Managed> {
  const directory = scratch(t);
  const place = { socket: path.join(directory, 'admin.sock'), snapshotFile: path.join(directory, 'snapshot.json') };
  if (before !== undefined) writeFileSync(place.snapshotFile, JSON.stringify(before));
  const flags = ['--snapshot', place.snapshotFile, '--admin', `unix:${place.socket}`, '--workers', '1'];
  const process = run(t, {
    program: globalThis.process.execPath,
    args: [main, 'gateway', ...flags, '--start-empty', '--listen', '127.0.0.1', '--grace', '0s'],
  });
  const client = gatewayClient(place);
  await until(async () => {
    if (process.hasEnded()) throw new Error(process.said());
    return ((await client.report())?.workers ?? []).some(({ state }) => state === 'ready');
  }, 60_000);
  return { process, client, snapshotFile: place.snapshotFile };
}

const routed = (version: string, target: string, nodePort: number): Snapshot => ({
  ...snapshotOf(
    { red: clusterOf('red', { apiServer: [target], nodePort }) },
    { listeners: { nodePortRange: '1024-65535' } },
  ),
  version,
});

test('one that starts empty waits for its first snapshot, and is not ready before', async (t) => {
  const backend = await plainBackend('api');
  t.after(() => backend.stop());
  const { client, snapshotFile } = await startManaged(t);
  const empty = await client.report();
  assert.deepEqual([empty?.ready, empty?.version, empty?.listening], [false, null, []]);
  const port = await freePort();
  await client.apply(routed('1', backend.target, port));
  const { ready, version, listening = [] } = (await client.report()) ?? {};
  assert.deepEqual([ready, version, listening.map((one) => one.port)], [true, '1', [port]]);
  assert.equal((JSON.parse(readFileSync(snapshotFile, 'utf8')) as Snapshot).version, '1');
  assert.equal(existsSync(`${snapshotFile}.next`), false);
  const conversation = await tcp({ host: '127.0.0.1', port });
  assert.match(await conversation.line(), /^api/);
  assert.equal((await client.connections('red')).length, 1);
  assert.deepEqual(await client.connections('blue'), []);
  conversation.close();
  await until(async () => (await client.report())?.counters['connections red apiServer'] === 1);
});

test('what it refuses changes nothing, and the reason comes back as it was', async (t) => {
  const backend = await plainBackend('api');
  t.after(() => backend.stop());
  const { client, snapshotFile } = await startManaged(t);
  const port = await freePort();
  await client.apply(routed('1', backend.target, port));
  // Of the backend: somebody else listens there.
  await assert.rejects(client.apply(routed('2', backend.target, backend.port)), (error: Error) => {
    const { code, fix } = error as Error & { code: string; fix: string };
    assert.equal(code, 'CW-GATEWAY-LISTEN');
    assert.equal(error.message, `cannot listen on 127.0.0.1:${backend.port}: another program listens there`);
    assert.match(fix, /ss -ltnp/);
    return true;
  });
  await assert.rejects(client.apply({ ...routed('3', backend.target, port), seed: 7 } as unknown as Snapshot), {
    code: 'CW-GATEWAY-SNAPSHOT',
  });
  assert.equal((await client.report())?.version, '1');
  assert.equal((JSON.parse(readFileSync(snapshotFile, 'utf8')) as Snapshot).version, '1');
  assert.equal(await accepts({ host: '127.0.0.1', port }), true);
});

test('where the snapshot of before cannot be served it says so and goes on, until it is told another one', async (t) => {
  const backend = await plainBackend('api');
  t.after(() => backend.stop());
  const { client, process } = await startManaged(t, routed('1', backend.target, backend.port));
  await until(() => process.said().includes('another program listens there'), 30_000);
  assert.equal((await client.report())?.ready, false);
  await client.apply(routed('2', backend.target, await freePort()));
  assert.equal((await client.report())?.ready, true);
});
