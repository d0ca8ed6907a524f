import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Observed } from '../../control-plane/component.ts';
import type { ClusterStatus } from '../view.ts';
import { createTransitions } from './transitions.ts';

const shop = (ready: boolean, reason?: string): ClusterStatus => ({
  name: 'shop',
  ready,
  ...(reason === undefined ? {} : { reason }),
  strategy: 'Tunneling',
  managed: true,
  version: '1.36.3',
});
const etcd = (phase: Observed['phase'], restarts = 0, why?: string): Observed => ({
  scope: 'cluster/shop',
  name: 'etcd',
  phase,
  healthy: phase === 'healthy',
  ...(why === undefined ? {} : { why }),
  since: 0,
  restarts,
  logFile: 'etcd.log',
});

function heard(...looks: [ClusterStatus[], Observed[]][]): string[] {
  const transitions = createTransitions();
  return looks.flatMap((look) => transitions.seen(...look)).map(({ level, message }) => `${level} ${message}`);
}

describe('events', () => {
  it('tell once that a cluster is ready, and once that it is not any more', () => {
    const looks = [shop(false), shop(true), shop(true), shop(false, 'etcd has ended'), shop(false, 'etcd starts')];
    assert.deepEqual(heard(...looks.map((look): [ClusterStatus[], Observed[]] => [[look], []])), [
      'info shop is ready',
      'warn shop is not ready any more: etcd has ended',
    ]);
  });

  it('tell why a component failed', () => {
    const looks = [etcd('starting'), etcd('healthy'), etcd('restarting', 0, 'it was killed'), etcd('healthy', 1)];
    assert.deepEqual(heard(...looks.map((look): [ClusterStatus[], Observed[]] => [[], [look]])), [
      'info etcd of cluster/shop is healthy',
      'warn etcd of cluster/shop is not healthy: it was killed',
      'info etcd of cluster/shop is healthy',
    ]);
  });

  it('tell of a component that was started again before anybody looked', () => {
    const looks = [etcd('healthy'), etcd('healthy', 1)];
    assert.deepEqual(heard(...looks.map((look): [ClusterStatus[], Observed[]] => [[], [look]])).slice(1), [
      'warn etcd of cluster/shop ended, and was started again',
    ]);
  });

  it('say nothing of a component that is stopped in order', () => {
    const looks = [etcd('healthy'), etcd('stopping'), etcd('stopped')];
    assert.equal(heard(...looks.map((look): [ClusterStatus[], Observed[]] => [[], [look]])).length, 1);
  });
});
