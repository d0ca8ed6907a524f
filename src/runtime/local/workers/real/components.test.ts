import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noAllocations } from '../../../../model/index.ts';
import { buildContext, planFromContext } from '../../../../plan/index.ts';
import { oneClusterModel } from '../../../../plan/testing/one-cluster.ts';
import { workerAddresses } from './addresses.ts';
import { konnectivityAgent, nodeAgent } from './agents.ts';
import { containerd } from './containerd.ts';
import { kubelet, kubeProxy } from './kubelet.ts';
import { layoutOf } from './layout.ts';
import { needTools } from './machine.ts';
import type { Secrets, WorkerParts } from './parts.ts';

const secrets: Secrets = {
  ca: 'PEM of the cluster',
  gatewayCa: 'PEM of the gateway',
  bootstrapToken: 'secret-bootstrap',
  kubeProxyToken: 'secret-proxy',
  konnectivityToken: 'secret-konnectivity',
  tunnelToken: 'secret-tunnel',
  expiresAt: 0,
};

function partsOf(exposeStrategy: 'Tunneling' | 'LoadBalancer', given: Secrets = secrets): WorkerParts {
  const model = oneClusterModel({ platform: { exposeStrategy } });
  const plan = planFromContext(buildContext(model, noAllocations));
  const layout = layoutOf({ state: '/p/.causeway', run: '/run/p', controlSocket: '' }, 'web');
  const [endpoint, konnectivity] = [plan.endpoints.web, plan.konnectivity.web];
  const input = { cluster: 'web', planned: { plan, model }, endpoint, konnectivity };
  const programs = new Proxy({}, { get: (_, name) => `/programs/${String(name)}` });
  return {
    layout,
    input: { ...input, pods: ['172.25.0.0/16'] } as unknown as WorkerParts['input'],
    secrets: given,
    addresses: workerAddresses(layout.id, 'web', plan, model),
    programs: programs as WorkerParts['programs'],
    tools: needTools({ system: 'linux', user: 0, find: (tool) => `/usr/bin/${tool}` }),
  };
}

const specsOf = (parts: WorkerParts) => [
  ...[containerd, kubelet, kubeProxy, konnectivityAgent].map((specOf) => specOf(parts)),
  ...nodeAgent(parts),
];

test('no secret is where other users of the machine could read it', () => {
  for (const { name, args, env, probe } of specsOf(partsOf('Tunneling')))
    assert.doesNotMatch(JSON.stringify([args, env, probe]), /secret-/, name);
});

test('a renewed credential restarts nothing', () => {
  const renewed = Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, `${value}-renewed`]));
  const lasting = (given: Secrets) =>
    specsOf(partsOf('Tunneling', { ...given, ca: secrets.ca, gatewayCa: secrets.gatewayCa })).map((spec) => ({
      ...spec,
      files: spec.files?.filter(({ reloads }) => !reloads),
    }));
  assert.deepEqual(lasting(renewed as unknown as Secrets), lasting(secrets));
});

test('everything runs on the network of the worker', () => {
  for (const { name, program, args } of specsOf(partsOf('Tunneling'))) {
    assert.deepEqual(program, { file: '/usr/bin/nsenter' }, name);
    assert.match(args[0] ?? '', /^--net=\/run\/netns\/cw-[0-9a-f]{8}-worker$/, name);
  }
});

test('there is a node agent where there is a tunnel, at the address that pods are sent to', () => {
  const [agent] = nodeAgent(partsOf('Tunneling'));
  assert.ok(agent?.args.join(' ').includes('--listen 100.64.30.10:6443'), agent?.args.join(' '));
  assert.deepEqual(nodeAgent(partsOf('LoadBalancer')), []);
});

test('a node agent is asked how it is at a socket that no pod can connect to', () => {
  const parts = partsOf('Tunneling');
  const [agent] = nodeAgent(parts);
  const socketPath = `${parts.layout.run}/agent.sock`;
  assert.ok(agent?.args.join(' ').includes(`--admin unix:${socketPath}`), agent?.args.join(' '));
  assert.deepEqual(agent?.probe, { kind: 'http', url: 'http://worker/readyz', socketPath });
});

test('a node agent speaks with its tunnel as planned: by TLS and token, or plainly', () => {
  const parts = partsOf('Tunneling');
  const { tunnel } = parts.input.endpoint;
  assert.ok(tunnel);
  const argsWith = (changed: Partial<typeof tunnel>): string => {
    const endpoint = { ...parts.input.endpoint, tunnel: { ...tunnel, ...changed } };
    return nodeAgent({ ...parts, input: { ...parts.input, endpoint } })[0]?.args.join(' ') ?? '';
  };
  assert.match(argsWith({}), /--ca \S+\/gateway-ca\.crt --token-file \S+\/gateway\.token --admin/);
  assert.match(argsWith({ sni: 'tunnel.other' }), /--name tunnel\.other --ca/);
  assert.match(argsWith({ tls: false, authentication: 'none' }), / --plaintext --admin/);
});
