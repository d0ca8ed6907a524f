import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Observed } from '../../control-plane/index.ts';
import type { ClusterStatus } from '../view.ts';
import { createTransitions } from './transitions.ts';

const shop = (ready: boolean, reason?: string, phase: ClusterStatus['phase'] = 'failing'): ClusterStatus => ({
  name: 'shop',
  ready,
  phase: ready ? 'ready' : phase,
  ...(reason === undefined ? {} : { reason }),
  conditions: [],
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
});

function heard(...looks: [ClusterStatus[], Observed[]][]): string[] {
  const transitions = createTransitions();
  return looks.flatMap((look) => transitions.seen(...look)).map(({ level, message }) => `${level} ${message}`);
}

describe('events', () => {
  it('tell once that a cluster is ready, and once that it is not any more', () => {
    const start = shop(false, undefined, 'starting');
    const looks = [start, shop(true), shop(true), shop(false, 'etcd has ended'), shop(false, 'etcd starts')];
    assert.deepEqual(heard(...looks.map((look): [ClusterStatus[], Observed[]] => [[look], []])), [
      'info shop is ready',
      'warn shop is not ready any more: etcd has ended',
    ]);
  });

  it('tell that a cluster does not start, and nothing while it may', () => {
    const looks = [shop(false, 'x', 'starting'), shop(false, 'the port is taken'), shop(false, 'the port is taken')];
    assert.deepEqual(heard(...looks.map((look): [ClusterStatus[], Observed[]] => [[look], []])), [
      'warn shop does not start: the port is taken',
    ]);
  });

  it('tell of very many clusters in one sentence', () => {
    const all = (ready: boolean): ClusterStatus[] =>
      Array.from({ length: 51 }, (_, at) => ({ ...shop(ready, 'the gateway ended'), name: `shop${at}` }));
    assert.deepEqual(heard([all(true), []], [all(false), []]), [
      'info shop0 is ready (and 50 more clusters with it)',
      'warn shop0 is not ready any more: the gateway ended (and 50 more clusters with it)',
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

  it('tell once why something fails again and again, and what to do about it', () => {
    const offline = (restarts: number): Observed => ({
      ...etcd('restarting', restarts, 'etcd could not be fetched'),
      next: 'connect this machine',
    });
    const looks = [offline(1), etcd('getting', 1), offline(2), offline(3), etcd('healthy', 3), offline(4)];
    assert.deepEqual(heard(...looks.map((look): [ClusterStatus[], Observed[]] => [[], [look]])), [
      'warn etcd of cluster/shop is not healthy: etcd could not be fetched; connect this machine',
      'info etcd of cluster/shop is healthy',
      'warn etcd of cluster/shop is not healthy: etcd could not be fetched; connect this machine',
    ]);
  });

  it('tell of a component that has another version, whether or not anybody saw it stop', () => {
    const old = { ...etcd('healthy'), version: '3.7.2' };
    const [starting, young] = [etcd('starting'), etcd('healthy')].map((look) => ({ ...look, version: '3.7.3' }));
    for (const between of [[], [{ ...old, ...etcd('stopping') }, starting as Observed]]) {
      const looks = [old, ...between, young as Observed, young as Observed];
      assert.deepEqual(heard(...looks.map((look): [ClusterStatus[], Observed[]] => [[], [look]])).slice(1), [
        'info etcd of cluster/shop is healthy, with version 3.7.3 instead of 3.7.2',
      ]);
    }
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
