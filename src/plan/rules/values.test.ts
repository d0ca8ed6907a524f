import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Specs } from '../testing/one-cluster.ts';
import { oneCluster } from '../testing/one-cluster.ts';
import { valuesOf } from './values.ts';

const textOf = (cluster: Specs['cluster']): string => valuesOf(oneCluster({ cluster }).effective);

it('settings that rules may read are told apart, also inside a block', () => {
  const proxy = { https: 'http://proxy.example.com:3128' };
  const specs: Specs['cluster'][] = [
    {},
    { network: { cni: 'calico' } },
    { network: { dnsDomain: 'other.local' } },
    { proxy },
    { proxy: { ...proxy, http: 'http://plain.example.com:3128' } },
  ];
  assert.equal(new Set(specs.map(textOf)).size, specs.length);
});
