// Laws over arbitrary platforms: what holds for every plan, not only for the sample.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { plan } from '../plan/index.ts';
import type { Plan } from '../plan/schema/index.ts';
import { arbitraryModel } from '../plan/testing/arbitrary-model.ts';
import { fileNameOf } from './artefact.ts';
import { renderPlan } from './index.ts';

const small = arbitraryModel({ seeds: 2, datacenters: 3, clusters: 4 });
const runs = { numRuns: 40 };

test('rendering twice gives the same bytes', () => {
  fc.assert(
    fc.property(small, (model) => {
      assert.deepEqual(renderPlan(plan(model)), renderPlan(plan(structuredClone(model))));
    }),
    runs,
  );
});

test('artefacts need the plan and nothing else: one that was written down and read again renders the same bytes', () => {
  fc.assert(
    fc.property(small, (model) => {
      const planned = plan(model);
      assert.deepEqual(renderPlan(JSON.parse(JSON.stringify(planned)) as Plan), renderPlan(planned));
    }),
    runs,
  );
});

test('no two files share a path, and every path stays below the output directory', () => {
  fc.assert(
    fc.property(small, (model) => {
      const paths = renderPlan(plan(model)).map(({ path }) => path);
      assert.equal(new Set(paths).size, paths.length);
      for (const path of paths)
        assert.ok(
          path.split('/').every((part) => part === fileNameOf(part)),
          path,
        );
    }),
    runs,
  );
});

test('every flow of a plan has a rule or a reason why not, and nothing else has one', () => {
  fc.assert(
    fc.property(small, (model) => {
      const planned = plan(model);
      const [file] = renderPlan(planned, { only: ['nftables'] });
      const pairs = [...(file?.text ?? '').matchAll(/^ {4}(?:ip6? .*comment "|# )\S+ (\S+) to ([^\s:"]+(?::\d+)?)/gm)];
      const written = new Set(pairs.map(([, from, to]) => `${from} ${to}`));
      const wanted = new Set(planned.flows.map(({ from, to }) => `${from} ${to}`));
      assert.deepEqual(written, wanted);
    }),
    runs,
  );
});
