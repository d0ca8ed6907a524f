import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectOf } from './subject.ts';

test('a kind is known in any case, in the plural and with hyphens', () => {
  for (const text of ['AddressPool', 'addresspools', 'address-pool', 'ADDRESS-POOLS'])
    assert.deepEqual(subjectOf(text), { is: 'schema', name: 'AddressPool', field: '' });
});

test('a field may follow the kind with a dot', () => {
  assert.deepEqual(subjectOf('cluster.spec.proxy'), { is: 'schema', name: 'Cluster', field: 'spec.proxy' });
  assert.deepEqual(subjectOf('plan.flows'), { is: 'schema', name: 'Plan', field: 'flows' });
});

test('a kind and a name are a document', () => {
  assert.deepEqual(subjectOf('clusters/web'), { is: 'document', kind: 'Cluster', name: 'web' });
});

test('a finding is known by its code', () => {
  assert.deepEqual(subjectOf('cw-cidr-overlap'), { is: 'code', code: 'CW-CIDR-OVERLAP' });
});

test('a requirement is known by its row', () => {
  const subject = subjectOf('prt-8');
  assert.ok(subject.is === 'requirement' && subject.row.id === 'PRT-8');
});

test('what is nothing of this is told with what was meant', () => {
  assert.throws(() => subjectOf('clsuter'), { fix: /did you mean cluster\?/ });
  assert.throws(() => subjectOf('CW-CIDR-OVERLAPS'), { fix: /did you mean CW-CIDR-OVERLAP\?/ });
  assert.throws(() => subjectOf('PRT-88'), { fix: /did you mean PRT-8\?/ });
  assert.throws(() => subjectOf('Clutser/shop'), { fix: /did you mean Cluster\/shop\?/ });
  assert.throws(() => subjectOf('clutser.spec.network'), { fix: /did you mean cluster\.spec\.network\?/ });
});
