import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { noAllocations } from '../../model/index.ts';
import type { Model } from '../../model/schema/index.ts';
import { buildContext } from '../build-context.ts';
import { newCache, noCache } from '../cache.ts';
import { kubernetesRuntime } from '../runtime.ts';
import { arbitraryModel } from '../testing/arbitrary-model.ts';
import { nameNeeds, planDns, zoneOf } from './index.ts';

const domain = 'kubermatic.example.com';
const foreignName = fc.constantFrom(
  'wiki',
  'tunnel.seed-00',
  'cluster-00.seed-00',
  'old.cluster-01.seed-00',
  'konnectivity-server.cluster-02.seed-01',
  '*.cluster-03.seed-00',
  'grafana.seed-00',
);
const situation = fc.record({
  base: arbitraryModel(),
  wildcards: fc.boolean(),
  existing: fc.uniqueArray(foreignName, { maxLength: 4 }),
  userClusters: fc.boolean(),
  nested: fc.boolean(),
});
type Choices = typeof situation extends fc.Arbitrary<infer Value> ? Value : never;

function modelOf({ base, wildcards, existing, userClusters, nested }: Choices): Model {
  const { platform, seeds } = base;
  return {
    ...base,
    platform: { ...platform, spec: { ...platform.spec, dns: { ...platform.spec.dns, wildcards, existing } } },
    seeds: seeds.map((seed, i) => ({
      ...seed,
      // The domain of the second seed may be what would be a cluster of the first.
      spec: {
        ...seed.spec,
        monitoring: { userClusters },
        dnsName: nested && i === 1 ? 'cluster-00.seed-00' : undefined,
      },
    })),
  };
}

it('every needed name resolves to its place, beside whatever names of others', () => {
  fc.assert(
    fc.property(situation, (choices) => {
      const ctx = buildContext(modelOf(choices), noAllocations);
      const ours = planDns(ctx).records;
      const { resolve } = zoneOf(
        ours,
        choices.existing.map((name) => `${name}.${domain}`),
      );
      for (const { name, place } of nameNeeds(ctx)) assert.equal(resolve(name)?.place, place, name);
    }),
    { numRuns: 300 },
  );
});

it('no name has two records, and without wildcards there is none', () => {
  fc.assert(
    fc.property(situation, (choices) => {
      const names = planDns(buildContext(modelOf(choices), noAllocations)).records.map((record) => record.name);
      assert.equal(new Set(names).size, names.length);
      if (!choices.wildcards) assert.ok(names.every((name) => !name.startsWith('*')));
    }),
  );
});

it('removing a cluster removes only records of its own', () => {
  fc.assert(
    fc.property(situation, (choices) => {
      const model = modelOf(choices);
      const [gone, ...clusters] = model.clusters;
      fc.pre(gone !== undefined);
      const before = planDns(buildContext(model, noAllocations)).records;
      const after = planDns(buildContext({ ...model, clusters }, noAllocations)).records;
      const left = new Set(after.map((record) => record.name));
      for (const { name, clusters: users } of before.filter((record) => !left.has(record.name))) {
        assert.deepEqual(users, [gone?.metadata.name], name);
      }
    }),
  );
});

it('a replanned change equals a plan from scratch', () => {
  fc.assert(
    fc.property(situation, (choices) => {
      const model = modelOf(choices);
      const cache = newCache();
      planDns(buildContext(model, noAllocations, kubernetesRuntime, cache));
      const changed = { ...model, clusters: model.clusters.slice(1) };
      const again = planDns(buildContext(changed, noAllocations, kubernetesRuntime, cache));
      assert.deepEqual(again, planDns(buildContext(changed, noAllocations, kubernetesRuntime, noCache)));
    }),
  );
});
