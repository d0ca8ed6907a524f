import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ComponentPhase, type Observed, stepTypes } from '../../control-plane/index.ts';
import { type UntimedCondition, verdictFalse, verdictTrue } from '../../reconcile/index.ts';
import { type StartFacts, startSteps } from './start-steps.ts';

const component = (name: string, phase: ComponentPhase, why?: string): Observed => ({
  scope: 'cluster/shop',
  name,
  phase,
  healthy: phase === 'healthy',
  ...(why === undefined ? {} : { why }),
  since: 0,
  restarts: 0,
});
const done = (...types: string[]): UntimedCondition[] => types.map((type) => ({ type, ...verdictTrue() }));
const nothing: StartFacts = {
  controlPlane: [],
  components: [],
  gateway: verdictFalse('Starting', 'the gateway is being started'),
  workers: undefined,
  failed: false,
};
const shown = (facts: Partial<StartFacts>): string[] =>
  startSteps({ ...nothing, ...facts }).map(({ name, state, detail }) =>
    detail === undefined ? `${name} ${state}` : `${name} ${state}: ${detail}`,
  );

describe('the steps of a start', () => {
  it('are all before it in the beginning', () => {
    assert.deepEqual(shown({}), [
      'certificates active',
      'programs waiting',
      'etcd waiting',
      'api-server waiting',
      'bootstrap waiting',
      'controllers waiting',
      'konnectivity waiting',
      'readiness waiting',
      'gateway waiting',
    ]);
  });

  it('say what is being fetched', () => {
    const components = [component('etcd', 'healthy'), component('kube-apiserver', 'getting', 'it is being built')];
    const lines = shown({ controlPlane: done(stepTypes.certificates), components });
    assert.deepEqual(lines.slice(0, 4), [
      'certificates done',
      'programs active: it is being built',
      'etcd done',
      'api-server waiting',
    ]);
  });

  it('end with the workers, where this machine plays them', () => {
    const names = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'konnectivity-server'];
    const good = verdictTrue();
    const facts: Partial<StartFacts> = {
      controlPlane: done(...Object.values(stepTypes)),
      components: names.map((name) => component(name, 'healthy')),
      gateway: verdictTrue(),
      workers: {
        kind: 'demo',
        konnectivityAgent: good,
        nodes: { ...verdictFalse('NodesNotReady', '1 of 2 is not ready'), ready: 1, total: 2 },
      },
    };
    assert.equal(shown(facts).at(-1), 'workers active: 1 of 2 is not ready');
    const ready = { kind: 'demo' as const, konnectivityAgent: good, nodes: { ...good, ready: 2, total: 2 } };
    assert.ok(shown({ ...facts, workers: ready }).every((line) => line.endsWith(' done')));
  });

  it('wait for the first service account before they come to the workers', () => {
    const names = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'konnectivity-server'];
    const missing = verdictFalse('NoServiceAccount', 'there is no service account yet');
    const account = { type: stepTypes.readiness, ...missing };
    const lines = shown({
      controlPlane: [...done(...Object.values(stepTypes).slice(0, -1)), account],
      components: names.map((name) => component(name, 'healthy')),
      gateway: verdictTrue(),
    });
    assert.deepEqual(lines.slice(-2), ['readiness active: there is no service account yet', 'gateway done']);
  });

  it('name the one that a start hangs at', () => {
    const components = [component('etcd', 'failed', 'etcd 9.9.9 is no version that can be had')];
    const lines = shown({ controlPlane: done(stepTypes.certificates), components, failed: true });
    assert.equal(lines[1], 'programs failed: etcd 9.9.9 is no version that can be had');
  });
});
