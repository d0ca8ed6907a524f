import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { flowsOf, line, placesOf } from '../testing/flows-of.ts';
import { sampleCluster, sampleModel } from '../testing/sample-model.ts';

const external = { apiServer: ['10.5.0.1:6443', 'api.example.net:443'], konnectivity: ['10.5.0.1:8132'] };
const model = sampleModel({ clusters: [sampleCluster('own'), sampleCluster('web', { controlPlane: { external } })] });

test('XPS-1: the gateway reaches a control plane that runs elsewhere, for that cluster alone', () => {
  const flows = flowsOf(model).filter((flow) => flow.requirement === 'XPS-1');
  deepEqual(flows.map(line), ['seed/west/nodes → cluster/web/control-plane tcp 443,6443,8132']);
  deepEqual(flows[0]?.clusters, ['web']);
});

test('the place of such a control plane is where its endpoints are', () => {
  const place = placesOf(model)['cluster/web/control-plane'];
  deepEqual([place?.networks, place?.hosts], [['10.5.0.1'], ['api.example.net']]);
  equal(placesOf(model)['cluster/own/control-plane'], undefined);
});
