import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noAllocations } from '../../../../model/index.ts';
import { buildContext, planFromContext } from '../../../../plan/index.ts';
import type { Plan } from '../../../../plan/schema/index.ts';
import { oneClusterModel, type Specs } from '../../../../plan/testing/one-cluster.ts';
import { hostsFile, wiresOf, workerAddresses } from './addresses.ts';

const tunneling: Specs = { platform: { exposeStrategy: 'Tunneling' } };

function planned(specs: Specs = tunneling) {
  const model = oneClusterModel(specs);
  return { model, plan: planFromContext(buildContext(model, noAllocations)) };
}

const endpoint = ({ plan }: { plan: Plan }) => plan.endpoints.web as Plan['endpoints'][string];

test('a worker stands in the worker network of its datacenter', () => {
  const { plan, model } = planned();
  const { inPlan, node } = workerAddresses('0000abcd', 'web', plan, model);
  assert.equal(inPlan, '10.2.0.10');
  assert.equal(node, inPlan);
});

test('where that network is loopback, the kubelet tells another address, because it refuses those', () => {
  const { plan, model } = planned({ ...tunneling, datacenter: { nodes: { networks: ['127.40.0.0/24'] } } });
  const { inPlan, node, wires } = workerAddresses('0000abcd', 'web', plan, model);
  assert.equal(inPlan, '127.40.0.10');
  assert.equal(node, wires.worker);
});

test('a network without room is said, with the place', () => {
  const { plan, model } = planned({ ...tunneling, datacenter: { nodes: { networks: ['10.2.0.0/30'] } } });
  assert.throws(() => workerAddresses('0000abcd', 'web', plan, model), {
    code: 'CW-REAL-ADDRESS',
    message: /datacenter\/dc1\/workers/,
  });
});

test('platforms on one machine have wires of their own', () => {
  const all = [wiresOf('00000000'), wiresOf('00000001'), wiresOf('ffffffff')].flatMap((wires) => Object.values(wires));
  assert.equal(new Set(all).size, 12);
  assert.ok(all.every((address) => /^198\.1[89]\./.test(address)));
});

test('all that a worker dials resolves to the gateway', () => {
  const here = planned();
  const { apiServer, konnectivity, tunnel } = endpoint(here);
  const lines = hostsFile(endpoint(here), here.plan).split('\n');
  for (const name of [apiServer.host, konnectivity.host, tunnel?.host]) assert.ok(lines.includes(`192.0.2.20 ${name}`));
});
