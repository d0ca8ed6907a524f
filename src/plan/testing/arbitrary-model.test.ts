import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { schemas } from '../../model/schema/index.ts';
import { arbitraryModel } from './arbitrary-model.ts';

test('every document of a generated model is valid', () => {
  fc.assert(
    fc.property(arbitraryModel(), (model) => {
      const documents = [model.platform, ...model.seeds, ...model.datacenters, ...model.clusters, ...model.pools];
      for (const document of documents) {
        const result = schemas[document.kind].safeParse(document);
        assert.ok(result.success, `${document.kind}/${document.metadata.name}: ${result.error?.message}`);
      }
    }),
    { numRuns: 100 },
  );
});

test('every reference in a generated model leads to a document', () => {
  fc.assert(
    fc.property(arbitraryModel(), ({ seeds, datacenters, clusters }) => {
      const named = (list: readonly { metadata: { name: string } }[]) => new Set(list.map((d) => d.metadata.name));
      assert.ok(datacenters.every((datacenter) => named(seeds).has(datacenter.spec.seed)));
      assert.ok(clusters.every((cluster) => named(datacenters).has(cluster.spec.datacenter)));
    }),
  );
});
