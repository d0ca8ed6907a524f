import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { checkPath, checkText } from '../../../src/agent/check/check.ts';
import { type CheckedGateway, type Hop, type HopName, refusalFix } from '../../../src/agent/check/check-gateway.ts';
import { type AgentFlags, readOptions } from '../../../src/agent/options.ts';
import { refusals } from '../../../src/gateway/index.ts';
import { silentLog } from '../../../src/sys/log.ts';
import { main } from '../../support/gateway/own-gateway.ts';
import { freePort } from '../../support/gateway/ports.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { needProgram } from '../../support/programs.ts';
import { startSquid } from '../../support/squid.ts';
import { testVantage } from '../../support/vantage.ts';
import { createScene, flagsFor, portOf, type Scene, tunnelName } from './scene.ts';

const shared = createUndoList();
let scene: Scene;
let tunnelPort: number;
let singlePort: string;
before(async () => {
  scene = await createScene(shared);
  const gateway = await scene.startGateway();
  tunnelPort = portOf(gateway, 'tunnel');
  singlePort = `127.0.0.1:${portOf(gateway, 'single')}`;
});
after(() => shared.run());

const check = async (flags: Partial<AgentFlags> = {}): Promise<CheckedGateway> => {
  const [checked] = await checkPath(readOptions({ ...flagsFor(scene, tunnelPort), ...flags }), silentLog);
  return checked as CheckedGateway;
};
const hopIn = ({ hops }: CheckedGateway, name: HopName): Hop => hops.find(({ hop }) => hop === name) as Hop;
const outcomes = ({ hops }: CheckedGateway): string => hops.map(({ outcome }) => outcome[0]).join('');

for (const transport of ['trunk', 'h2']) {
  test(`names each hop up to the certificate of the API server, by ${transport}`, async () => {
    scene.writeToken('shop');
    const checked = await check({ transport });
    assert.equal(checked.ok, true, checkText([checked]));
    assert.equal(outcomes(checked), 'ssssoooooo');
    assert.match(hopIn(checked, 'tls-gateway').detail ?? '', /CN=tunnel\.west\.example; issued by CN=Gateway CA/);
    assert.equal(hopIn(checked, 'transport').detail, transport);
    assert.match(
      hopIn(checked, 'api-server').detail ?? '',
      /CN=kube-apiserver; issued by CN=kubernetes; for 10\.96\.0\.1/,
    );
    assert.ok((hopIn(checked, 'connect-gateway').ms ?? -1) >= 0);
  });

  test(`says what the gateway refuses, and what to change, by ${transport}`, async () => {
    scene.writeToken('shop', -60);
    const expired = hopIn(await check({ transport }), 'open');
    assert.equal(expired.outcome, 'failed');
    assert.match(expired.detail ?? '', /expired-token/);
    assert.match(expired.fix ?? '', /new token/);
    scene.writeToken('erp');
    assert.match(hopIn(await check({ transport }), 'open').detail ?? '', /wrong-cluster/);
    scene.writeToken('shop');
    const lost = hopIn(await check({ transport, tokenFile: undefined }), 'open');
    assert.match(`${lost.detail}`, /no-credentials/);
    const elsewhere = hopIn(await check({ transport, authority: 'other.svc:443' }), 'open');
    assert.match(`${elsewhere.detail}`, /unknown-authority/);
  });
}

test('checks the path from the vantage it is given', async () => {
  scene.writeToken('shop');
  const vantage = testVantage({ 'gw.example': '192.0.2.7' }, { '192.0.2.7:8088': tunnelPort });
  const options = readOptions({ ...flagsFor(scene, tunnelPort), gateway: ['gw.example:8088'] });
  const [checked] = await checkPath(options, silentLog, vantage);
  assert.equal(checked?.ok, true, checkText(checked ? [checked] : []));
  assert.deepEqual(new Set(vantage.asked), new Set(['resolve gw.example', 'dial 192.0.2.7:8088']));
});

const inCleartext = { plaintext: true, name: undefined, ca: undefined, tokenFile: undefined };
for (const transport of ['auto', 'trunk', 'h2'])
  test(`says to leave out --plaintext where the tunnel wants TLS, by ${transport}`, async () => {
    const atTunnel = hopIn(await check({ ...inCleartext, transport }), 'open');
    assert.match(`${atTunnel.detail} ${atTunnel.fix}`, /not-tls.*leave out --plaintext/);
    const atSinglePort = hopIn(await check({ ...inCleartext, transport, gateway: [singlePort] }), 'transport');
    assert.match(`${atSinglePort.detail} ${atSinglePort.fix}`, /leave out --plaintext/);
  });

/** Told at other listeners, or before there is a tunnel to tell them in. */
const elsewhere =
  /^(.*-sni|ip-.*|plain-http|hello-.*|handshake-failed|no-certificate|bad-proxy-header|too-many-half-open)$/;
test('knows what to do about every refusal that a tunnel tells, and shows the sentence of others', () => {
  const other = refusalFix('some-new-reason');
  assert.match(other, /sentence/);
  for (const code of Object.keys(refusals)) if (!elsewhere.test(code)) assert.notEqual(refusalFix(code), other, code);
});

test('stops at the first hop that fails, and says that the others were not reached', async () => {
  const checked = await check({ gateway: [`127.0.0.1:${await freePort()}`] });
  assert.equal(checked.ok, false);
  assert.equal(hopIn(checked, 'connect-gateway').code, 'CW-DIAL-REFUSED');
  assert.equal(hopIn(checked, 'open').detail, 'not reached');
  assert.match(checkText([checked]), /failed +connect gateway[^\n]*\n[^\n]*\[CW-DIAL-REFUSED\]\n +fix: /);
});

test('goes through squid, and names its answer when it refuses', async (t) => {
  const program = needProgram(t, 'squid');
  if (program === undefined) return;
  const squid = await startSquid(t, program, { allowedPorts: [tunnelPort], names: [tunnelName] });
  const gateway = [`${tunnelName}:${tunnelPort}`];
  scene.writeToken('shop');
  const checked = await check({ gateway, proxy: squid.url });
  assert.equal(checked.ok, true, checkText([checked]));
  assert.equal(outcomes(checked), 'oosossoooo');
  const refused = await check({ gateway, proxy: `http://127.0.0.1:${squid.port}` });
  assert.equal(hopIn(refused, 'ask-proxy').code, 'CW-PROXY-AUTH-MISSING');
  assert.ok(!JSON.stringify([checked, refused]).includes(squid.password));
});

test('the command prints JSON, and its exit code tells', async () => {
  scene.writeToken('shop');
  const run = (...more: string[]): Promise<{ code: number | null; text: string }> =>
    new Promise((resolve) => {
      const args = ['agent', '--check', '--cluster', 'shop', '--name', tunnelName, '--ca', scene.caFile, ...more];
      const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
      });
      child.on('close', (code) => resolve({ code, text }));
    });
  const gateway = ['--gateway', `127.0.0.1:${tunnelPort}`];
  const good = await run(...gateway, '--token-file', scene.tokenFile, '-o', 'json');
  assert.equal(good.code, 0, good.text);
  assert.equal((JSON.parse(good.text) as { ok: boolean }).ok, true);
  const bad = await run(...gateway);
  assert.equal(bad.code, 3);
  assert.match(bad.text, /failed +open/);
});
