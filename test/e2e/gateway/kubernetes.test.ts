// Real Kubernetes: what people, pods and konnectivity do with a cluster, over every way into it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { konnectivityNameOf, nameOf, tunnelName } from '../../conformance/gateway/scene.ts';
import { silentBackend } from '../../support/gateway/backends.ts';
import { accepts, type Place } from '../../support/gateway/clients.ts';
import { runAgent, startAgent } from '../../support/gateway/own-agent.ts';
import { until } from '../../support/gateway/until.ts';
import { serviceIp } from '../../support/kubernetes/cluster.ts';
import { exercise } from '../../support/kubernetes/exercise.ts';
import { startKonnectivityAgent } from '../../support/kubernetes/konnectivity.ts';
import { kubectlFor, type Way } from '../../support/kubernetes/kubectl.ts';
import { needProgram } from '../../support/programs.ts';
import { needReal } from '../../support/real-programs.ts';
import { type Squid, startSquid } from '../../support/squid.ts';
import { createWorld, type World } from './world.ts';

const names = [nameOf('red'), nameOf('blue'), konnectivityNameOf('red'), tunnelName];

test('kubectl and konnectivity reach real clusters through the gateway', async (t) => {
  const squidProgram = needProgram(t, 'squid');
  const real = await needReal(t, 'etcd', 'kube-apiserver', 'kubectl', 'konnectivity-server', 'konnectivity-agent');
  if (real === undefined || squidProgram === undefined || needProgram(t, 'openssl') === undefined) return;
  const world = await createWorld(t, real);
  const { gateway, red, blue, balanced } = world;
  const single = gateway.at('single');
  const squid = await startSquid(t, squidProgram, { allowedPorts: [single.port], names });
  const kubectl = (way: Way) => kubectlFor(real.kubectl, red, way);

  const ways: Record<string, Way> = {
    'by SNI': { ...gateway.at('sni'), serverName: nameOf('red') },
    'by SNI, over IPv6': { ...gateway.at('sni', '::1'), serverName: nameOf('red') },
    'by node port': { port: world.nodePort, serverName: serviceIp },
    'by an address of its own': { host: balanced.red, port: balanced.port, serverName: serviceIp },
    'on the single port': { ...single, serverName: nameOf('red') },
    'on the single port, through squid': { host: nameOf('red'), port: single.port, proxy: squid.url },
  };
  for (const [name, way] of Object.entries(ways)) await t.test(name, () => exercise(kubectl(way)));

  await t.test('the other cluster by its own address', async () => {
    const way = { host: balanced.blue, port: balanced.port, serverName: serviceIp };
    await exercise(kubectlFor(real.kubectl, blue, way));
  });

  const agents: Record<string, { place: Place; args: string[] }> = {
    'as a pod, through agent and tunnel': { place: gateway.at('tunnel'), args: [] },
    'as a pod, through agent and single port': { place: single, args: [] },
    'as a pod, through agent, tunnel and HTTP/2': { place: gateway.at('tunnel'), args: ['--transport', 'h2'] },
    'as a pod, through agent, squid and single port': {
      place: { host: tunnelName, port: single.port },
      args: ['--proxy', squid.url],
    },
  };
  for (const [name, { place, args }] of Object.entries(agents)) {
    await t.test(name, async (t) => {
      const agent = await startAgent(t, {
        ...agentOptions(world, 'red'),
        gateways: [place],
        args: [...trust(world), ...args],
      });
      await exercise(kubectl({ port: agent.port, serverName: serviceIp }));
      assert.ok(!agent.process.said().includes(squid.password));
    });
  }

  await t.test('squid lets nothing but the single port through', async (t) => {
    const gateways = [{ host: tunnelName, port: gateway.at('tunnel').port }];
    const args = [...trust(world), '--proxy', squid.url];
    const agent = await runAgent(t, { ...agentOptions(world, 'red'), gateways, args });
    await until(() => /\b403\b/.test(agent.process.said()));
    assert.match(squid.log(), /TCP_DENIED\/403 .* CONNECT tunnel\./);
  });

  await t.test('the token of one cluster never reaches the other', async (t) => {
    const came = world.blueRelay.connections();
    const agent = await runAgent(t, {
      ...agentOptions(world, 'blue'),
      gateways: [gateway.at('tunnel')],
      args: ['--ca', world.gatewayAuthority.certFile, '--name', tunnelName, '--token-file', world.tokenFile('red')],
    });
    await until(() => accepts({ host: '127.0.0.1', port: agent.port }));
    await assert.rejects(kubectlFor(real.kubectl, blue, { port: agent.port, serverName: serviceIp })(['version']));
    await until(async () => ((await gateway.refusals()).get('wrong-cluster') ?? 0) > 0);
    assert.equal(world.blueRelay.connections(), came);
  });

  await t.test('the konnectivity agent of upstream, by SNI', (t) => konnectivity(t, world, real['konnectivity-agent']));
  await t.test('the konnectivity agent of upstream, by SNI through squid', (t) =>
    konnectivity(t, world, real['konnectivity-agent'], squid),
  );

  await t.test('and nobody wrote a token into a log', () => {
    for (const secret of [red.token, blue.token, 'eyJ']) assert.ok(!gateway.process.said().includes(secret));
  });
});

const agentOptions = ({ directory }: World, cluster: string) => ({ directory, cluster });

const trust = ({ gatewayAuthority, tokenFile }: World): string[] => [
  ...['--ca', gatewayAuthority.certFile, '--name', tunnelName, '--token-file', tokenFile('red')],
];

/** The way back: the control plane dials into the worker's network through a connection that the worker opened. */
async function konnectivity(t: TestContext, world: World, program: string, squid?: Squid): Promise<void> {
  const server = world.konnectivity;
  await until(async () => !(await server.isReady()));
  const port = world.gateway.at(squid === undefined ? 'sni' : 'single').port;
  const proxy = squid === undefined ? {} : { proxy: squid.url };
  const agent = await startKonnectivityAgent(t, program, world.red, {
    host: konnectivityNameOf('red'),
    port,
    ...proxy,
  });
  await until(server.isReady, 30_000);
  // Upstream's server lets the answer to CONNECT be overtaken by a backend that speaks first.
  const worker = await silentBackend('worker');
  t.after(() => worker.stop());
  const { answer, conversation } = await server.connectTo(worker.target);
  assert.match(answer, / 200 /);
  assert.equal(await conversation.echo('from the control plane'), 'from the control plane');
  conversation.close();
  await agent.kill();
}
