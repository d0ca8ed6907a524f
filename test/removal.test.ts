import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifestsOf, proposedAnswers, templateNames } from '../src/cli/init/templates.ts';
import { loadFiles } from '../src/model/load/index.ts';
import type { Model } from '../src/model/schema/index.ts';
import { plan } from '../src/plan/index.ts';
import { diffPlans } from '../src/render/diff/index.ts';

for (const template of templateNames()) {
  test(`removing every cluster of ${template} asks nobody for anything`, () => {
    const { model } = loadFiles(manifestsOf(template, proposedAnswers, 'schema.json'));
    assert.ok(model !== undefined && model.clusters.length > 0);
    const without: Model = { ...model, clusters: [] };
    const asked = diffPlans(plan(model), plan(without)).filter(({ team }) => team !== 'addresses');
    assert.deepEqual(
      asked.flatMap(({ ask }) => ask.map(({ text }) => text)),
      [],
    );
  });
}
