import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ClusterState,
  readClusterState,
  refuseImpossible,
  settledFor,
  stateValue,
  writeClusterState,
} from './cluster-state.ts';
import type { ControlPlaneInput } from './control-plane.ts';
import { FakeRuntime } from './testing/fake-runtime.ts';
import { sampleInput } from './testing/input.ts';

const made: ClusterState = { strategy: 'Tunneling', kubernetesVersion: '1.36.1' };
const refuse = (changes: Partial<ControlPlaneInput>): void => refuseImpossible(sampleInput(changes), made);

describe('a change of version', () => {
  for (const version of ['1.36.1', '1.36.3', '1.36.0', '1.37.0'])
    it(`from 1.36.1 to ${version} is followed`, () => refuse({ kubernetesVersion: version }));
  for (const [version, why, fix] of [
    ['1.35.9', /older version/, /to 1\.36\.1/],
    ['1.38.0', /one at a time/, /1\.37 first/],
    ['2.0.0', /one at a time/, /1\.37 first/],
    ['0.99.0', /older version/, /to 1\.36\.1/],
  ] as const)
    it(`from 1.36.1 to ${version} is refused`, () => {
      assert.throws(() => refuse({ kubernetesVersion: version }), { code: 'CW-VERSION-CHANGE', message: why, fix });
    });
});

it('what a cluster was made with is never guessed: a damaged file is said, with what belongs into it', async () => {
  const runtime = new FakeRuntime();
  runtime.isThere = true;
  await runtime.store.put(stateValue, '{"strategy":');
  const fix = /\{"strategy":"Tunneling","kubernetesVersion":"1\.36\.3"\}/;
  await assert.rejects(readClusterState(runtime), { code: 'CW-STATE-DAMAGED', message: /state\.json/, fix });
});

describe('Pod Security', () => {
  const level = (state: ClusterState | undefined, podSecurity?: ControlPlaneInput['podSecurity']): string =>
    settledFor(podSecurity === undefined ? {} : { podSecurity }, state).podSecurity;

  it('is baseline in a new cluster, and what it was in one that exists', () => {
    assert.equal(level(undefined), 'baseline');
    assert.equal(level(made), 'privileged');
    assert.equal(level({ ...made, podSecurity: 'baseline' }), 'baseline');
  });

  it('is what the manifests say, whenever the cluster was made', () => {
    for (const state of [undefined, made, { ...made, podSecurity: 'baseline' } as const])
      for (const said of ['privileged', 'baseline', 'restricted'] as const) assert.equal(level(state, said), said);
  });
});

describe('a change of strategy', () => {
  const { endpoint } = sampleInput();

  it('is refused, and both are named', () => {
    assert.throws(() => refuse({ endpoint: { ...endpoint, strategy: 'NodePort' } }), {
      code: 'CW-STRATEGY-CHANGE',
      message: /cluster web was made with the strategy Tunneling and cannot change to NodePort/,
      fix: /set exposeStrategy of the cluster to Tunneling/,
    });
  });

  it('is no matter while there is no data', async () => {
    const runtime = new FakeRuntime();
    await writeClusterState(runtime.store, made);
    assert.equal(await readClusterState(runtime), undefined);
    runtime.isThere = true;
    assert.deepEqual(await readClusterState(runtime), made);
  });
});
