// Our agent and gateway with Envoy's, in all four pairings, carrying kubectl and not an echo.
import { test } from 'node:test';

import { envoyEngine } from '../../conformance/gateway/envoy.ts';
import { startEnvoyAgent } from '../../conformance/gateway/envoy-agent.ts';
import { authorityOf, clusterOf, snapshotOf } from '../../conformance/gateway/scene.ts';
import type { TestedEngine } from '../../conformance/gateway/subject.ts';
import type { Place } from '../../support/gateway/clients.ts';
import { startAgent } from '../../support/gateway/own-agent.ts';
import { startGateway } from '../../support/gateway/own-gateway.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { serviceIp, startCluster } from '../../support/kubernetes/cluster.ts';
import { exercise, fill, listMany } from '../../support/kubernetes/exercise.ts';
import { kubectlFor } from '../../support/kubernetes/kubectl.ts';
import { needProgram } from '../../support/programs.ts';
import { needReal } from '../../support/real-programs.ts';
import { temporaryDirectory } from './world.ts';

const many = process.env.CAUSEWAY_SOAK === '1' ? 10_000 : 2_000;

/** Answers where the tunnel is. */
type StartGateway = (t: Undo) => Promise<Place>;
/** Answers the port that pods use. */
type StartAgent = (t: Undo, gateway: Place) => Promise<number>;

test('agents and gateways of both makes work with each other', async (t) => {
  const real = await needReal(t, 'etcd', 'kube-apiserver', 'kubectl', 'envoy');
  if (real === undefined || needProgram(t, 'openssl') === undefined) return;
  const directory = temporaryDirectory(t, 'pairings');
  const red = await startCluster(t, real, 'red', directory);
  await fill(red, 'many', many);
  const snapshot = snapshotOf({ red: clusterOf('red', { apiServer: [red.apiServer.target] }) });

  const gateways: Record<string, StartGateway> = {
    'our gateway': async (t) => (await startGateway(t, { directory, snapshot })).at('tunnel'),
    'Envoy as gateway': (t) => startEngine(t, envoyEngine(real.envoy)),
  };
  const agents: Record<string, StartAgent> = {
    'our agent': async (t, place) =>
      (await startAgent(t, { directory, cluster: 'red', gateways: [place], args: ['--plaintext'] })).port,
    'Envoy as agent': async (t, gateway) =>
      (await startEnvoyAgent(t, { program: real.envoy, gateway, authority: authorityOf('red') })).port,
  };

  async function startEngine(t: Undo, engine: TestedEngine): Promise<Place> {
    const running = await engine.start({ snapshot, addresses: ['127.0.0.1'], workers: 2 });
    t.after(() => running.stop(0));
    const { port = 0 } = running.listening().find(({ kind }) => kind === 'tunnel') ?? {};
    return { host: '127.0.0.1', port };
  }

  for (const [gatewayName, openGateway] of Object.entries(gateways)) {
    for (const [agentName, openAgent] of Object.entries(agents)) {
      await t.test(`${agentName} and ${gatewayName} carry watch, apply and a large list`, async (t) => {
        const port = await openAgent(t, await openGateway(t));
        const kubectl = kubectlFor(real.kubectl, red, { port, serverName: serviceIp });
        await exercise(kubectl);
        await listMany(kubectl, 'many', many);
      });
    }
  }
});
