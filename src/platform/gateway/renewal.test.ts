// A gateway that nobody tells anything goes on past the end of its first certificate, and so do its connections.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from 'node:tls';
import { silentBackend } from '../../../test/support/gateway/backends.ts';
import { freePort } from '../../../test/support/gateway/ports.ts';
import { until } from '../../../test/support/gateway/until.ts';
import { startAgent } from '../../agent/index.ts';
import type { GatewaySnapshot, Plan } from '../../plan/schema/index.ts';
import { machineOf } from '../../runtime/local/index.ts';
import { scratchDirectory } from '../../runtime/local/testing/place.ts';
import { silentLog } from '../../sys/log.ts';
import { Gateways } from './gateways.ts';

const name = 'tunnel.example.com';
const lifetimeMs = 8_000;

function planOf(tunnelPort: number, backend: string): Plan {
  const gateway: GatewaySnapshot = {
    version: '1',
    seed: 'west',
    listeners: { tunnel: tunnelPort, nodePortRange: '30000-32767' },
    tunnel: {
      name,
      authentication: 'token',
      certificate: { certFile: 'gateway.crt', keyFile: 'gateway.key' },
      publicKeys: [],
    },
    trustedBalancers: [],
    clusters: {
      shop: {
        apiServer: { authority: 'shop.tunnel:6443', backends: [backend] },
        konnectivity: { backends: [backend] },
        maxConnections: 1000,
        connectionsPerSecond: 100,
        idleTimeout: '1h',
        halfClosedTimeout: '1m',
      },
    },
  };
  const places = { 'seed/west/gateway': { networks: ['127.0.0.1/32'] } };
  return { gateway: { west: gateway }, places } as unknown as Plan;
}

test('the certificate of a gateway is renewed by itself, and open connections go on', async (t) => {
  const directory = scratchDirectory(t);
  const backend = await silentBackend('api');
  t.after(() => backend.stop());
  const port = await freePort();
  const runtime = machineOf({ directory });
  const gateways = new Gateways({ runtime, workers: 1, log: silentLog, lifetimeMs, changed: () => {} });
  t.after(() => gateways.stop());
  await gateways.reconcile(planOf(port, backend.target), {
    ...{ upstreams: new Map(), tokenAuthorities: new Map() },
    revocations: () => ({}),
    isServed: () => true,
  });
  // As the platform does, from the beginning: on a busy machine all this takes longer than a certificate lives.
  const refreshing = setInterval(() => void gateways.refresh(), 200);
  t.after(() => clearInterval(refreshing));
  const keys = gateways.keysOf('west') ?? assert.fail();
  const first = await shown(port);
  const talk = await throughAgent(t, port, directory, keys);
  assert.equal(await talk('before'), 'before');
  const pids = gateways.all().flatMap((gateway) => gateway.workers());

  await until(() => Date.now() > first.validToDate.getTime() + 500, 30_000);
  const last = await shown(port);
  assert.notEqual(last.serialNumber, first.serialNumber);
  assert.ok(last.validToDate.getTime() > Date.now(), 'the one that is shown has ended');
  assert.equal(await talk('after'), 'after');
  assert.deepEqual(
    gateways.all().flatMap((gateway) => gateway.workers()),
    pids,
  );
});

type Certificate = NonNullable<ReturnType<ReturnType<typeof connect>['getPeerX509Certificate']>>;

const shown = (port: number): Promise<Certificate> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, servername: name, rejectUnauthorized: false };
    const socket = connect({ ...options, ALPNProtocols: ['causeway/1'] }, () => {
      resolve(socket.getPeerX509Certificate() as Certificate);
      socket.destroy();
    }).once('error', reject);
  });

/** One connection through a node agent's tunnel, which echoes what is said. */
async function throughAgent(
  t: TestContext,
  port: number,
  directory: string,
  keys: { readonly authority: string; token(cluster: string, ttlMs: number): string },
): Promise<(word: string) => Promise<string>> {
  const [tokenFile, ca] = [path.join(directory, 'token'), path.join(directory, 'ca.crt')];
  writeFileSync(ca, keys.authority);
  writeFileSync(tokenFile, keys.token('shop', 3_600_000), { mode: 0o600 });
  const listen = { host: '127.0.0.1', port: await freePort() };
  const agent = await startAgent(
    {
      cluster: 'shop',
      gateways: [{ host: '127.0.0.1', port }],
      authority: 'shop.tunnel:6443',
      listen,
      name,
      ca,
      tokenFile,
      plaintext: false,
      transport: 'auto',
      graceMs: 0,
    },
    silentLog,
  );
  t.after(() => agent.stop(0));
  await until(() => agent.problem() === undefined, 60_000);
  const socket = dial(listen).on('error', () => {});
  t.after(() => socket.destroy());
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  return async (word) => {
    heard = '';
    socket.write(word);
    await until(() => heard.length >= word.length);
    return heard;
  };
}
