// The gateway of a platform outlives `up`: whoever is connected or connects does not notice that it was killed.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeBundle } from '../../../src/cli/bundle/make-bundle.ts';
import { controlClient } from '../../../src/cli/control/control-client.ts';
import type { Status } from '../../../src/cli/up/summary.ts';
import { findOrphans } from '../../../src/runtime/local/orphans.ts';
import type { ObservedComponent } from '../../../src/runtime/platform-runtime.ts';
import { isRunning, type Running, run } from '../../support/child-process.ts';
import { type CliResult, causewayLater } from '../../support/cli.ts';
import { cloneProject } from '../../support/clone.ts';
import { greetingBackend } from '../../support/gateway/backends.ts';
import { createAuthority } from '../../support/gateway/certificates.ts';
import { tls } from '../../support/gateway/clients.ts';
import { startAgent } from '../../support/gateway/own-agent.ts';
import { type Undo, undoAfter } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { type LocalPlatform, localPlatform } from '../../support/local-platform.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { type Crowd, crowd, newcomers } from '../gateway/load.ts';

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
  up(main: string): Promise<Running>;
  gateway(): Promise<ObservedComponent>;
  down(): Promise<CliResult>;
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
    async up(main) {
      const args = [main, 'up', local.directory, '--workers', 'none', '--port', '0'];
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
    down: () => causewayLater(['down', local.directory], { cwd: local.directory }),
  };
  // Also what nobody cares for any more, where the test failed in between.
  t.after(() => Promise.all(findOrphans(local.at('.causeway')).map(({ child }) => child.end(0))));
  return setting;
}

interface Load {
  /** More connections that go on. */
  come(): Promise<void>;
  /** Lets some more newcomers come by each way; rejects where anything did not go well since it began. */
  goesOn(allowed?: { readonly refused: number }): Promise<void>;
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
  const crowds: [string, Crowd][] = [];
  const come = async (): Promise<void> => {
    for (const [way, open] of Object.entries(ways)) {
      const talkers = await crowd(held, open);
      t.after(() => talkers.stop());
      crowds.push([way, talkers]);
    }
  };
  const comings = Object.entries(ways).map(([way, open]) => [way, newcomers(open, pauseMs)] as const);
  for (const [, coming] of comings) t.after(() => coming.stop());
  await come();
  return {
    come,
    async goesOn({ refused } = { refused: 0 }) {
      for (const [way, coming] of comings) {
        const before = coming.attempts().length;
        await until(() => coming.attempts().length >= before + more, timeoutMs);
        const failures = coming.failuresSince(0);
        assert.ok(failures.length <= refused, `newcomers ${way}: ${JSON.stringify(failures)}`);
      }
      for (const [way, talkers] of crowds) assert.equal(talkers.alive().length, held, `connections ${way} were lost`);
    },
  };
}

test('the gateway of a platform outlives up, and is replaced without a break', async (t) => {
  const setting = await createSetting(t);
  const mains = { bundle: await bundleOf(setting.t), newer: newerProgram(setting.t) };
  let up = await setting.up(mains.bundle);
  const first = await setting.gateway();
  const load = await loadOf(setting);

  await t.test(`kill -9 of up, ${kills} times under load: no connection is lost, and none is refused`, async () => {
    for (let count = 0; count < kills; count++) {
      await up.kill('SIGKILL');
      await load.goesOn();
      up = await setting.up(mains.bundle);
      assert.equal((await setting.gateway()).pid, first.pid, 'the gateway was started again');
    }
  });

  await t.test(
    'a newer program takes over from the one that runs: no connection is lost, and none is refused',
    async () => {
      await up.kill('SIGKILL');
      up = await setting.up(mains.newer);
      const { pid = 0, restarts } = await setting.gateway();
      assert.equal(restarts, 0);
      assert.notEqual(pid, first.pid);
      assert.match(readFileSync(`/proc/${pid}/environ`, 'utf8'), /CAUSEWAY_COMPONENT=/);
      assert.ok(isRunning(first.pid ?? 0), 'the one before ended with open connections');
      await load.goesOn();
    },
  );

  await t.test('kill -9 of the gateway: it is started again with its routes, and open connections go on', async () => {
    await load.come();
    const before = await setting.gateway();
    process.kill(before.pid ?? 0, 'SIGKILL');
    await until(async () => {
      const { healthy, pid } = await setting.gateway();
      return healthy && pid !== before.pid;
    }, timeoutMs);
    assert.equal((await setting.gateway()).restarts, 1);
    // Until its workers have seen the new one, and stopped accepting, some newcomers may still be theirs.
    await load.goesOn({ refused: 2 });
  });

  await t.test('down leaves no process, also none whose connections have not ended', async () => {
    const pids = findOrphans(setting.local.at('.causeway')).map(({ child }) => child.pid);
    // Those that serve, those that were replaced, and those that were left alone.
    assert.ok(pids.length >= 5, `${pids}`);
    assert.equal((await setting.down()).code, 0);
    assert.deepEqual(pids.filter(isRunning), []);
  });
});

/** As the launcher starts it from the second time on, which is faster. */
async function bundleOf(t: Undo): Promise<string> {
  // Where packages are found, as for the real one.
  const home = mkdtempSync(path.join(projectRoot, 'node_modules/.bundle-test-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return makeBundle(projectRoot, home);
}

/** Another release in a directory of its own. */
function newerProgram(t: Undo): string {
  const { root } = cloneProject(t);
  const page = path.join(projectRoot, 'web/dist');
  if (existsSync(page)) cpSync(page, path.join(root, 'web/dist'), { recursive: true });
  appendFileSync(path.join(root, 'src/gateway/supervisor/supervisor.ts'), '// A newer one.\n');
  return path.join(root, 'src/cli/main.ts');
}
