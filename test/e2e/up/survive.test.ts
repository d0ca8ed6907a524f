// The gateway of a platform outlives `up`: whoever is connected or connects does not notice that it was killed.
import assert from 'node:assert/strict';
import { globSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { controlClient } from '../../../src/cli/control/control-client.ts';
import type { Status } from '../../../src/cli/up/summary.ts';
import { findOrphans } from '../../../src/runtime/local/orphans.ts';
import type { ObservedComponent } from '../../../src/runtime/platform-runtime.ts';
import { childrenOf, isRunning, type Running, run } from '../../support/child-process.ts';
import { causewayLater, commandLine } from '../../support/cli.ts';
import { greetingBackend } from '../../support/gateway/backends.ts';
import { createAuthority } from '../../support/gateway/certificates.ts';
import { tls } from '../../support/gateway/clients.ts';
import { startAgent } from '../../support/gateway/own-agent.ts';
import { type Undo, undoAfter } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { type LocalPlatform, localPlatform } from '../../support/local-platform.ts';
import { type Crowd, crowd, type Newcomers, newcomers } from '../gateway/load.ts';

const kills = process.env.CAUSEWAY_SOAK === '1' ? 100 : 10;
const domain = 'local.kubermatic.example.com';
/** Watches by each way, and the pause between two newcomers. */
const held = 4;
const pauseMs = 50;
/** Of them that are waited for after each change. */
const more = 5;
const timeoutMs = 60_000;

interface Setting {
  readonly t: Undo;
  readonly local: LocalPlatform;
  up(): Promise<Running>;
  gateway(): Promise<ObservedComponent>;
  down(): Promise<void>;
}

/** A platform whose control planes something else runs: all that `up` runs then is itself and the gateway. */
async function createSetting(context: TestContext): Promise<Setting> {
  const t = undoAfter(context);
  const local = localPlatform();
  t.after(() => local.remove());
  for (const other of ['clusters/{loadbalancer,single-port}.yaml', 'datacenters/behind-proxy.yaml'])
    for (const file of globSync(local.at(other))) rmSync(file);
  const authority = createAuthority(local.at('cluster-pki'), 'kubernetes');
  const backend = await greetingBackend('api', authority.issue({ commonName: 'kube-apiserver' }));
  t.after(() => backend.stop());
  const external = `external: { apiServer: ["${backend.target}"], konnectivity: ["${backend.target}"] }`;
  for (const cluster of ['tunneling', 'nodeport'])
    local.edit(`clusters/${cluster}.yaml`, (text) =>
      text.replace('  nodes:', `  controlPlane: { ${external} }\n  nodes:`),
    );
  const status = async (): Promise<Status | undefined> => {
    const text = await controlClient(local.directory)
      .ask('GET', '/api/v1/status')
      .catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Status);
  };
  const found = async (): Promise<ObservedComponent | undefined> =>
    (await status())?.components.find(({ name }) => name === 'gateway-local');
  const setting: Setting = {
    t,
    local,
    async up() {
      const args = [commandLine, 'up', local.directory, '--workers', 'none', '--port', '0'];
      const running = run(t, { program: process.execPath, args });
      await until(async () => {
        if (running.hasEnded()) throw new Error(`up ended:\n${running.said()}`);
        return (await found())?.healthy === true;
      }, timeoutMs);
      return running;
    },
    async gateway() {
      return (await found()) ?? assert.fail('there is no gateway');
    },
    async down() {
      await causewayLater(['down', local.directory], { cwd: local.directory });
    },
  };
  // Also what nobody cares for any more, where the test failed in between.
  t.after(() => Promise.all(findOrphans(local.at('.causeway')).map(({ child }) => child.end(0))));
  return setting;
}

interface Load {
  /** Lets some more newcomers come by each way; rejects where anything did not go well since it began. */
  goesOn(): Promise<void>;
}

/** By name, by a port of its own, and through the tunnel: connections that go on, and newcomers all the time. */
async function loadOf({ t, local }: Setting): Promise<Load> {
  const host = `${local.network}.0.2`;
  const gatewayKeys = local.at('.causeway/gateways/local');
  const args = ['gateway', 'token', 'tunneling', '--key', path.join(gatewayKeys, 'token.key')];
  const { stdout: token } = await causewayLater(args, { cwd: local.directory });
  writeFileSync(local.at('agent.token'), token, { mode: 0o600 });
  const agent = await startAgent(t, {
    directory: local.directory,
    cluster: 'tunneling',
    gateways: [{ host, port: 8088 }],
    args: [
      ...['--name', `tunnel.${domain}`, '--token-file', local.at('agent.token')],
      ...['--ca', path.join(gatewayKeys, 'gateway-ca.crt')],
    ],
  });
  const ways = {
    'by name': () => tls({ host, port: 6443 }, { servername: `tunneling.${domain}` }),
    'through the tunnel': () => tls({ host: '127.0.0.1', port: agent.port }),
  };
  const loads: [string, Crowd, Newcomers][] = [];
  for (const [way, open] of Object.entries(ways)) {
    const talkers = await crowd(held, open);
    t.after(() => talkers.stop());
    const coming = newcomers(open, pauseMs);
    t.after(() => coming.stop());
    loads.push([way, talkers, coming]);
  }
  return {
    async goesOn() {
      for (const [way, talkers, coming] of loads) {
        const before = coming.attempts().length;
        await until(() => coming.attempts().length >= before + more, timeoutMs);
        assert.deepEqual(coming.failuresSince(0), [], `newcomers ${way}`);
        assert.equal(talkers.alive().length, held, `connections ${way} were lost`);
      }
    },
  };
}

test(`kill -9 of up, ${kills} times under load: no connection is lost, and none is refused`, async (t) => {
  const setting = await createSetting(t);
  let up = await setting.up();
  const first = await setting.gateway();
  const load = await loadOf(setting);
  for (let count = 0; count < kills; count++) {
    await up.kill('SIGKILL');
    await load.goesOn();
    up = await setting.up();
    assert.equal((await setting.gateway()).pid, first.pid, 'the gateway was started again');
  }
  await load.goesOn();
  const pids = [first.pid ?? 0, ...childrenOf(first.pid ?? 0)];
  assert.ok(pids.length > 1 && pids.every(isRunning));
  await setting.down();
  await until(() => !pids.some(isRunning));
});
