import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manifestsOf, proposedAnswers, templateNames } from '../src/cli/init/templates.ts';
import { readSnapshot, snapshotWarnings } from '../src/gateway/index.ts';
import { loadFiles } from '../src/model/load/index.ts';
import { plan } from '../src/plan/index.ts';
import { arbitraryModel } from '../src/plan/testing/arbitrary-model.ts';
import { renderPlan } from '../src/render/index.ts';

test('a gateway accepts every snapshot that a plan has for it', () => {
  fc.assert(
    fc.property(arbitraryModel(), (model) => {
      for (const snapshot of Object.values(plan(model).gateway))
        assert.deepEqual(readSnapshot(JSON.stringify(snapshot)), { snapshot });
    }),
  );
});

for (const template of templateNames()) {
  test(`a gateway starts by the file that is rendered for template ${template}, and lacks nothing but keys`, () => {
    const { model } = loadFiles(manifestsOf(template, proposedAnswers, 'schema.json'));
    assert.ok(model !== undefined);
    const files = renderPlan(plan(model), { only: ['gateway'] });
    assert.deepEqual(
      files.map((file) => file.path),
      model.seeds.map((seed) => `gateway/${seed.metadata.name}/snapshot.json`),
    );
    for (const { text } of files) {
      const { snapshot, problems } = readSnapshot(text);
      assert.deepEqual(problems, undefined);
      for (const warning of snapshotWarnings(snapshot)) assert.match(warning, /^tunnel.publicKeys is empty/);
    }
  });
}
