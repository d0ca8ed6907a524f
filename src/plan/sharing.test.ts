// Ten thousand plans of clusters must fit into memory: what is the same for many of them is one object.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Model } from '../model/schema/index.ts';
import { plan } from './plan.ts';
import type { Plan } from './schema/index.ts';
import { sampleCluster, sampleModel } from './testing/sample-model.ts';

function planOfTwo(exposeStrategy: 'Tunneling' | 'NodePort'): Plan {
  const model: Model = sampleModel();
  // Each has settings of its own, so that nothing is shared only because everything is inherited.
  const clusters = ['one', 'two'].map((name, i) =>
    sampleCluster(name, { exposeStrategy, limits: { maxConnections: 100 + i } }),
  );
  return plan({ ...model, clusters });
}
const certificate = ({ certificates }: Plan, name: string) => certificates.find((one) => one.name === name);

it('clusters behind one tunnel share their path, the node agent’s endpoints and the way of their pods', () => {
  const { paths, endpoints, proxy } = planOfTwo('Tunneling');
  assert.equal(paths.one, paths.two);
  assert.equal(endpoints.one?.kubernetesService, endpoints.two?.kubernetesService);
  assert.equal(proxy.workers.one?.pods, proxy.workers.two?.pods);
  assert.equal(proxy.workers.one?.nodeAgent, proxy.workers.two?.nodeAgent);
});

it('clusters with equal settings of konnectivity share its server', () => {
  const { konnectivity } = planOfTwo('NodePort');
  assert.equal(konnectivity.one?.server, konnectivity.two?.server);
});

for (const strategy of ['Tunneling', 'NodePort'] as const)
  it(`certificates of clusters with ${strategy} at one gateway share their addresses`, () => {
    const planned = planOfTwo(strategy);
    for (const server of ['apiserver', 'konnectivity'])
      assert.equal(certificate(planned, `${server}-one`)?.ips, certificate(planned, `${server}-two`)?.ips);
  });
