import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Allocations, type Finding, fieldOf, noAllocations, planningCodes } from '../../model/index.ts';
import { inherited, type Model, type Resource } from '../../model/schema/index.ts';
import { buildContext } from '../build-context.ts';
import { newCache, noCache, type PlanCache } from '../cache.ts';
import { planCertificates } from '../certificates/index.ts';
import { planDns } from '../dns/index.ts';
import { planInstallation } from '../installation/index.ts';
import { kubernetesRuntime } from '../runtime.ts';
import { arbitraryModel } from '../testing/arbitrary-model.ts';
import { sampleCluster, sampleDatacenter } from '../testing/sample-model.ts';
import { type Change, soundModel } from '../testing/sound-model.ts';
import { review } from './cases/case.ts';
import { cases } from './cases/index.ts';
import { reviewPlan } from './index.ts';

function findingsOf(model: Model, cache?: PlanCache, allocations: Allocations = noAllocations): Finding[] {
  const ctx = buildContext(model, allocations, kubernetesRuntime, cache);
  return reviewPlan(ctx, {
    addresses: ctx.addresses,
    dns: planDns(ctx),
    certificates: planCertificates(ctx),
    installation: planInstallation(ctx),
  });
}
const namesOf = ({ platform, seeds, datacenters, clusters, pools }: Model): Set<string> =>
  new Set([platform, ...seeds, ...datacenters, ...clusters, ...pools].map((d) => `${d.kind}/${d.metadata.name}`));

test('every finding has a registered code and severity, an existing document, and says what is right', () => {
  fc.assert(
    fc.property(arbitraryModel(), (model) => {
      const names = namesOf(model);
      for (const { code, severity, resource, path, message, fix } of findingsOf(model)) {
        assert.equal(severity, planningCodes[code as keyof typeof planningCodes]?.severity, code);
        assert.ok(names.has(resource ?? ''), `${code} at ${resource}`);
        assert.ok((path ?? []).length > 0 && message !== '' && fix !== '', code);
        assert.doesNotMatch(`${message} ${fix}`, /undefined|NaN|\[object/);
      }
    }),
  );
});

test('no finding is said twice', () => {
  fc.assert(
    fc.property(arbitraryModel(), (model) => {
      const said = findingsOf(model).map((f) => `${f.code} ${f.resource} ${fieldOf(f.path ?? [])} ${f.message}`);
      assert.equal(new Set(said).size, said.length);
    }),
  );
});

test('what was remembered does not change the findings', () => {
  fc.assert(
    fc.property(arbitraryModel(), (model) => {
      const cache = newCache();
      const first = findingsOf(model, cache);
      assert.deepEqual(findingsOf(model, cache), first);
      assert.deepEqual(findingsOf(model, noCache), first);
    }),
  );
});

const settingsOf = (spec: object): object =>
  Object.fromEntries(Object.entries(spec).filter(([key]) => Object.hasOwn(inherited, key)));
const withSettings = <One extends Resource>(document: One, settings: object): One => {
  const rest = Object.entries(document.spec).filter(([key]) => !Object.hasOwn(inherited, key));
  return { ...document, spec: { ...Object.fromEntries(rest), ...settings } };
};

/** The settings, and the same without each single one of them. */
function withoutOne(settings: object): object[] {
  const less = Object.entries(settings).flatMap(([block, value]): object[] => {
    const { [block as never]: _, ...rest } = settings;
    if (typeof value !== 'object') return [rest];
    return Object.keys(value as object).map((key) => {
      const { [key]: __, ...others } = value as Record<string, unknown>;
      return { ...rest, [block]: others };
    });
  });
  return [...less, settings];
}

/**
 * A platform whose first cluster gets all settings that a case has anywhere, one later than the others. Nothing but its
 * settings changes, so what is remembered of settings by their values is asked for again.
 */
function settledInCluster(change: Change): { readonly models: readonly Model[]; readonly lock: Allocations } {
  const [sound, { model, allocations: lock }] = [soundModel().model, soundModel(change)];
  const asIn =
    <One extends Resource>(known: readonly One[]) =>
    (document: One): One => {
      const same = known.find(({ metadata }) => metadata.name === document.metadata.name);
      return withSettings(document, settingsOf(same?.spec ?? {}));
    };
  const usual: Model = {
    ...model,
    platform: asIn([sound.platform])(model.platform),
    seeds: model.seeds.map(asIn(sound.seeds)),
    datacenters: model.datacenters.map(asIn(sound.datacenters)),
    clusters: model.clusters.map(asIn(sound.clusters)),
  };
  const documents = [model.platform, model.seeds[0], model.datacenters[0], model.clusters[0]];
  const settings = Object.assign({}, ...documents.map((document) => settingsOf(document?.spec ?? {})));
  const [first, ...others] = usual.clusters;
  const models = first
    ? withoutOne(settings).map((some) => ({ ...usual, clusters: [withSettings(first, some), ...others] }))
    : [];
  return { models: [usual, ...models, usual], lock };
}

test('what any rule fires for, or just does not, is found with the cache of the platform before as without one', () => {
  const wrong = Object.entries(cases).flatMap(([code, { fires, quiet }]) =>
    [...fires, ...quiet].flatMap(({ when, change }) => {
      const { models, lock } = settledInCluster(change);
      const cache = newCache();
      const isSame = models.every((model) =>
        isDeepStrictEqual(findingsOf(model, cache, lock), findingsOf(model, noCache, lock)),
      );
      return isSame ? [] : [`${code}: ${when}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('removing a cluster adds no finding about another cluster', () => {
  fc.assert(
    fc.property(arbitraryModel(), fc.nat(7), (model, n) => {
      const gone = model.clusters[n % Math.max(1, model.clusters.length)];
      const rest = { ...model, clusters: model.clusters.filter((cluster) => cluster !== gone) };
      const before = new Set(findingsOf(model).map((f) => `${f.code} ${f.resource} ${f.message}`));
      for (const f of findingsOf(rest).filter(({ resource }) => resource?.startsWith('Cluster/')))
        assert.ok(before.has(`${f.code} ${f.resource} ${f.message}`), f.message);
    }),
  );
});

test('a mistake that a thousand clusters inherit is reported once, where it was made', () => {
  const findings = review((d) => {
    d.platform.spec.network = { pods: ['192.168.0.0/20'] };
    d.seed.spec.storage = { fast: { class: 'kubermatic-fast', ssd: true } };
    for (let i = 0; i < 1000; i++) d.clusters.push(sampleCluster(`c${i}`, { workloadAddresses: { count: 0 } }));
  });
  assert.deepEqual(
    findings.map((f) => `${f.code} ${f.resource}`),
    ['CW-CIDR-OVERLAP Platform/sample'],
  );
});

test('a datacenter without clusters is reviewed for those that will come', () => {
  const findings = review((d) => {
    const nodes = { networks: ['172.25.3.0/24'], dhcp: { enabled: true } };
    const rest = { nodes, integration: 'I', loadBalancer: { type: 'other' } } as const;
    d.datacenters.push(sampleDatacenter('dc2', rest));
  });
  assert.deepEqual(
    findings.map((f) => `${f.code} ${f.resource}`),
    ['CW-CIDR-OVERLAP Datacenter/dc2'],
  );
});
