import assert from 'node:assert/strict';
import { test } from 'node:test';
import { artefactNames, catalogue } from '../src/plan/catalogue/index.ts';
import { artefacts } from '../src/render/index.ts';

test('the catalogue promises exactly artefacts that exist', () => {
  assert.deepEqual([...artefactNames].sort(), artefacts.map((artefact) => artefact.name).sort());
});

test('every artefact keeps a promise of the catalogue', () => {
  const promised = new Set(catalogue.flatMap((row) => row.promise?.artefact ?? []));
  assert.deepEqual(
    artefactNames.filter((name) => !promised.has(name)),
    [],
  );
});
