import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import type { RunningAgent } from '../../../src/agent/agent.ts';
import type { AgentFlags } from '../../../src/agent/options.ts';
import { askAdmin } from '../../support/gateway/admin.ts';
import { freePort } from '../../support/gateway/ports.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { testVantage } from '../../support/vantage.ts';
import { agentFor, createScene, flagsFor, greeting, type Line, portOf, recordingLog, type Scene } from './scene.ts';

const shared = createUndoList();
let scene: Scene;
let tunnelPort: number;
before(async () => {
  scene = await createScene(shared);
  tunnelPort = portOf(await scene.startGateway(), 'tunnel');
});
after(() => shared.run());

async function startedAgent(t: TestContext, change: (flags: AgentFlags) => AgentFlags = (flags) => flags) {
  scene.writeToken('shop');
  const { log, lines } = recordingLog();
  const agent = await agentFor(t, change(flagsFor(scene, tunnelPort)), log);
  return { agent, lines };
}

const ask = async (agent: RunningAgent, path: string): Promise<{ status: number; body: string }> => {
  assert.ok(agent.admin?.path);
  return askAdmin(agent.admin.path, path);
};

const neverSays = (lines: readonly Line[], secret: string): void =>
  assert.ok(!JSON.stringify(lines).includes(secret.split('.')[2] as string));

for (const transport of ['trunk', 'h2', 'auto']) {
  test(`carries TLS without SNI to the API server of its cluster, by ${transport}`, async (t) => {
    const { agent, lines } = await startedAgent(t, (flags) => ({ ...flags, transport }));
    assert.equal(await greeting(agent.listening.port), 'shop -\n');
    const many = await Promise.all(Array.from({ length: 20 }, () => greeting(agent.listening.port)));
    assert.equal(many.length, 20);
    await until(() => lines.some(({ message }) => message.startsWith('connected to gateway')));
    const connected = lines.find(({ message }) => message.startsWith('connected to gateway'));
    assert.equal(connected?.fields.protocol, transport === 'h2' ? 'h2' : 'trunk');
  });
}

test('works without TLS and credentials where the gateway allows it', async (t) => {
  const gateway = await (await createScene(t, 'none')).startGateway();
  const { log } = recordingLog();
  const flags = { gateway: [`127.0.0.1:${portOf(gateway, 'tunnel')}`], cluster: 'shop', admin: 'off' };
  for (const listen of ['127.0.0.1:0', '[::1]:0']) {
    const agent = await agentFor(t, { ...flags, listen, plaintext: true }, log);
    assert.equal(await greeting(agent.listening.port, agent.listening.address), 'shop -\n');
  }
});

test('reaches its gateway from the vantage it is given', async (t) => {
  scene.writeToken('shop');
  const vantage = testVantage({ 'gw.example': '192.0.2.7' }, { '192.0.2.7:8088': tunnelPort });
  const flags = { ...flagsFor(scene, tunnelPort), gateway: ['gw.example:8088'] };
  const agent = await agentFor(t, flags, recordingLog().log, vantage);
  assert.equal(await greeting(agent.listening.port), 'shop -\n');
  assert.deepEqual(new Set(vantage.asked), new Set(['resolve gw.example', 'dial 192.0.2.7:8088']));
});

test('tells health, readiness, figures and state', async (t) => {
  const { agent } = await startedAgent(t);
  await until(async () => (await ask(agent, '/readyz')).status === 200);
  assert.equal(await greeting(agent.listening.port), 'shop -\n');
  assert.equal((await ask(agent, '/healthz')).status, 200);
  const { body } = await ask(agent, '/metrics');
  assert.match(body, /^causeway_agent_ready 1$/m);
  assert.match(body, /^causeway_agent_connections_accepted_total 1$/m);
  assert.match(body, /^causeway_agent_bytes_total\{direction="from-gateway"\} [1-9]/m);
  assert.match(body, /^causeway_agent_gateway_healthy\{gateway="127\.0\.0\.1:\d+"\} 1$/m);
  assert.match(body, /^causeway_agent_token_expiry_timestamp_seconds \d+$/m);
  const state = JSON.parse((await ask(agent, '/state')).body) as { cluster: string; connections: { accepted: number } };
  assert.equal(state.cluster, 'shop');
  assert.equal(state.connections.accepted, 1);
});

test('lets a connection wait for a gateway that is not there yet, and says once why', async (t) => {
  const port = await freePort();
  const { log, lines } = recordingLog();
  const agent = await agentFor(t, flagsFor(scene, port), log);
  const waiting = greeting(agent.listening.port);
  await until(() => lines.some(({ fields }) => fields.code === 'CW-DIAL-REFUSED'));
  const notReady = await ask(agent, '/readyz');
  assert.equal(notReady.status, 503);
  assert.match(notReady.body, /refused the connection.*\n {2}fix: /);
  await relay(t, port, tunnelPort);
  assert.equal(await waiting, 'shop -\n');
  assert.equal(lines.filter(({ fields }) => fields.code === 'CW-DIAL-REFUSED').length, 1);
});

test('uses the gateway that is there', async (t) => {
  const nobody = await freePort();
  const { agent } = await startedAgent(t, (flags) => ({
    ...flags,
    gateway: [`127.0.0.1:${nobody}`, ...(flags.gateway ?? [])],
  }));
  for (let i = 0; i < 5; i++) assert.equal(await greeting(agent.listening.port), 'shop -\n');
});

test('takes a new token from its file, and says no secret', async (t) => {
  const expired = scene.writeToken('shop', -60);
  const { log, lines } = recordingLog();
  const agent = await agentFor(t, flagsFor(scene, tunnelPort), log);
  await assert.rejects(greeting(agent.listening.port));
  await until(() => JSON.stringify(lines).includes('expired-token'));
  await until(async () => (await ask(agent, '/readyz')).body.includes('expired-token'));
  const good = scene.writeToken('shop');
  await until(() =>
    greeting(agent.listening.port).then(
      (text) => text === 'shop -\n',
      () => false,
    ),
  );
  await until(async () => (await ask(agent, '/readyz')).status === 200);
  neverSays(lines, expired);
  neverSays(lines, good);
});

test('gets nowhere with the token of another cluster', async (t) => {
  scene.writeToken('erp');
  const { log, lines } = recordingLog();
  const agent = await agentFor(t, flagsFor(scene, tunnelPort), log);
  await assert.rejects(greeting(agent.listening.port));
  await until(() => JSON.stringify(lines).includes('wrong-cluster'));
});

test('refuses to listen where another agent does', async (t) => {
  const { agent } = await startedAgent(t);
  const listen = `127.0.0.1:${agent.listening.port}`;
  const again = agentFor(t, { ...flagsFor(scene, tunnelPort), admin: 'off', listen }, recordingLog().log);
  await assert.rejects(again, /another program listens on 127\.0\.0\.1/);
});

/** The gateway at another port, from now on. */
async function relay(t: TestContext, port: number, to: number): Promise<void> {
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy());
    t.after(() => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  t.after(() => server.close());
}
