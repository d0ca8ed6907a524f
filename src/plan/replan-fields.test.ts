// Whatever field of whatever document changes: what a cache holds of the plan before is not visible afterwards.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Allocations } from '../model/index.ts';
import type { Cluster, Model } from '../model/schema/index.ts';
import { buildContext } from './build-context.ts';
import { newCache, noCache, type PlanCache } from './cache.ts';
import { planFromContext } from './plan.ts';
import { reviewPlan } from './rules/index.ts';
import { kubernetesRuntime } from './runtime.ts';
import { fieldChanges, kinds } from './testing/every-field.ts';
import { sampleCluster } from './testing/sample-model.ts';
import { soundModel } from './testing/sound-model.ts';

const { model: sound, allocations } = soundModel();
const twin = (spec: Partial<Cluster['spec']> = {}): Cluster =>
  sampleCluster('zz-twin', { datacenter: sound.clusters[0]?.spec.datacenter as string, ...spec });
const { platform } = sound;
/** Beside the cluster that changes stands one that shares its settings, so that what is kept for one meets the other. */
const bases: Readonly<Record<string, Model>> = {
  'a sound platform': { ...sound, clusters: [...sound.clusters, twin()] },
  'a platform without wildcards, behind a proxy': {
    ...sound,
    platform: {
      ...platform,
      spec: {
        ...platform.spec,
        dns: { ...platform.spec.dns, wildcards: false },
        egress: { mode: 'proxy' },
        proxy: { https: 'http://proxy.example.com:3128' },
      },
    },
    clusters: [...sound.clusters, twin({ exposeStrategy: 'Tunneling', workers: { route: 'proxy' } })],
  },
};

const planned = (model: Model, lock: Allocations, cache: PlanCache) => {
  const ctx = buildContext(model, lock, kubernetesRuntime, cache);
  const plan = planFromContext(ctx);
  return { plan, findings: reviewPlan(ctx, plan) };
};

for (const [name, base] of Object.entries(bases))
  describe(`${name}: a replan equals a plan without a cache`, () => {
    for (const kind of kinds)
      it(`after a change of any field of ${kind}, and after it is taken back`, () => {
        const cache = newCache();
        const shown = (model: Model, known: PlanCache): string => JSON.stringify(planned(model, allocations, known));
        const before = shown(base, noCache);
        assert.equal(shown(base, cache), before);
        const wrong = fieldChanges(base, kind).filter(
          ({ model }) => shown(model, cache) !== shown(model, noCache) || shown(base, cache) !== before,
        );
        assert.deepEqual(
          wrong.map((change) => change.name),
          [],
        );
      });
  });
