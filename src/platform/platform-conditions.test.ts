import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTrue, verdictFalse } from '../reconcile/index.ts';
import { type PlatformFacts, platformConditions } from './platform-conditions.ts';

const facts = (ready: boolean, healthy: boolean): PlatformFacts =>
  ({
    plan: { gateway: { west: {} } },
    broken: false,
    clusters: [{ ready }, { ready: true }],
    components: [
      {
        scope: 'platform',
        name: 'gateway-west',
        healthy,
        ...(healthy ? {} : { why: 'the port is taken', next: 'free it' }),
      },
      { scope: 'cluster/one', name: 'gateway-west', healthy: true },
    ],
    reconciliation: { done: true },
  }) as unknown as PlatformFacts;
const conditionOf = (type: string, of: PlatformFacts) => {
  const { type: _, ...verdict } = platformConditions(of).find((one) => one.type === type) ?? assert.fail(type);
  return verdict;
};
const isReady = (of: PlatformFacts): boolean => isTrue(platformConditions(of)[0]);

describe('a platform', () => {
  it('is ready when every cluster is, and the gateway', () => {
    assert.equal(isReady(facts(true, true)), true);
    assert.equal(isReady(facts(false, true)), false);
    assert.equal(isReady(facts(true, false)), false);
  });

  it('is not ready without a plan', () => {
    assert.equal(isReady({ ...facts(true, true), plan: undefined }), false);
  });

  it('says why it is not ready, in numbers', () => {
    const counted = verdictFalse('ClustersNotReady', '1 of 2 clusters are ready');
    assert.deepEqual(conditionOf('Ready', facts(false, true)), counted);
    const closed = verdictFalse('GatewayNotReady', '0 of 1 gateways serve');
    assert.deepEqual(conditionOf('Ready', facts(true, false)), closed);
    const taken = verdictFalse('GatewayNotReady', 'gateway of west: the port is taken', 'free it');
    assert.deepEqual(conditionOf('GatewaysReady', facts(true, false)), taken);
  });

  it('is ready although its newest manifests have errors or cannot be applied, and says so', () => {
    const failure = verdictFalse('CW-X', 'the disk is full', 'make room');
    const broken = { ...facts(true, true), broken: true, reconciliation: { done: false, failure } };
    assert.equal(isReady(broken), true);
    assert.equal(conditionOf('ManifestsValid', broken).reason, 'ManifestErrors');
    assert.deepEqual(conditionOf('Reconciled', broken), failure);
    assert.equal(conditionOf('Reconciled', { ...broken, reconciliation: { done: false } }).reason, 'Reconciling');
  });
});
