// Everything that somebody may do to a platform between two plans, one step at a time.
import fc from 'fast-check';
import { byName } from '../../core/names.ts';
import type { Model } from '../../model/schema/index.ts';
import { clusterSpecs, datacenterSpecs, platformSpecs, poolSpecs, seedSpecs } from './changed-specs.ts';
import { sampleCluster, sampleDatacenter, samplePool, sampleSeed } from './sample-model.ts';

export interface Change {
  readonly name: string;
  readonly apply: (model: Model) => Model;
}

type ListKey = 'seeds' | 'datacenters' | 'clusters' | 'pools';
type Document = Model[ListKey][number];

/** Whatever stands at a place of a list is replaced by others, or by nothing. */
const replaced = (model: Model, key: ListKey, at: number, by: (old: Document) => Document[]): Model => ({
  ...model,
  [key]: (model[key] as readonly Document[]).flatMap((old, i) => (i === at % model[key].length ? by(old) : [old])),
});

const edit = (key: ListKey, specs: readonly object[]): fc.Arbitrary<Change> =>
  fc.tuple(fc.nat(20), fc.constantFrom(...specs)).map(([at, more]) => ({
    name: `${key}[${at}] ${JSON.stringify(more)}`,
    apply: (model) =>
      replaced(model, key, at, (old) => [{ ...old, spec: { ...old.spec, ...more } as never } as Document]),
  }));

const editPlatform = fc.constantFrom(...platformSpecs).map(
  (more): Change => ({
    name: `platform ${JSON.stringify(more)}`,
    apply: (model) => ({ ...model, platform: { ...model.platform, spec: { ...model.platform.spec, ...more } } }),
  }),
);

const removal = fc
  .tuple(fc.constantFrom<ListKey[]>('seeds', 'datacenters', 'clusters', 'pools'), fc.nat(20))
  .map(([key, at]): Change => ({ name: `remove ${key}[${at}]`, apply: (model) => replaced(model, key, at, () => []) }));

const added = (key: ListKey, document: Document): Change => ({
  name: `add ${document.kind} ${document.metadata.name}`,
  apply: (model) => ({
    ...model,
    [key]: [...model[key].filter((old) => old.metadata.name !== document.metadata.name), document].sort((a, b) =>
      byName(a.metadata.name, b.metadata.name),
    ),
  }),
});

/** Names that sort first, in the middle and last. */
const newCluster = fc
  .tuple(fc.constantFrom('a-new', 'cluster-03a', 'z-new'), fc.constantFrom(...clusterSpecs))
  .map(([name, spec]) => added('clusters', sampleCluster(name, { datacenter: 'dc-00', ...spec })));
const newSite = fc.constantFrom(
  added('datacenters', sampleDatacenter('dc-00a', { seed: 'seed-00' })),
  added('seeds', sampleSeed('seed-00a')),
  added('pools', samplePool('a-pool', { seed: 'seed-00', ranges: ['10.10.8.0/28'] })),
);

export const arbitraryChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: edit('clusters', clusterSpecs) },
  { weight: 2, arbitrary: edit('datacenters', datacenterSpecs) },
  { weight: 2, arbitrary: edit('seeds', seedSpecs) },
  { weight: 1, arbitrary: edit('pools', poolSpecs) },
  { weight: 1, arbitrary: editPlatform },
  { weight: 2, arbitrary: removal },
  { weight: 2, arbitrary: newCluster },
  { weight: 1, arbitrary: newSite },
);
