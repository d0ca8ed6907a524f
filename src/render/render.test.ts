import assert from 'node:assert/strict';
import test from 'node:test';
import { assertGolden } from '../../test/support/golden.ts';
import { artefacts, RenderError, renderPlan } from './index.ts';
import { samplePlan } from './testing/sample-plan.ts';

const goldenFiles = new URL('../../test/golden/render/', import.meta.url);

for (const { path, text, artefact } of renderPlan(samplePlan)) {
  test(`${artefact} renders ${path} as reviewed`, () => assertGolden(new URL(path, goldenFiles), text));
}

test('every artefact renders something for the sample', () => {
  const rendered = new Set(renderPlan(samplePlan).map((file) => file.artefact));
  assert.deepEqual(
    artefacts.map(({ name }) => name).filter((name) => !rendered.has(name)),
    [],
  );
});

test('only renders the artefacts that are asked for', () => {
  const files = renderPlan(samplePlan, { only: ['zone', 'squid'] });
  assert.deepEqual(
    files.map(({ path }) => path),
    ['dns/zone.db', 'egress/squid.conf'],
  );
});

test('an unknown artefact is refused with the nearest known one', () => {
  assert.throws(
    () => renderPlan(samplePlan, { only: ['zoen'] }),
    (error) => error instanceof RenderError && error.fix === 'did you mean zone?',
  );
});

test('no two files have the same path', () => {
  const paths = renderPlan(samplePlan).map(({ path }) => path);
  assert.equal(new Set(paths).size, paths.length);
});

test('every file ends with a line end and has no trailing blanks', () => {
  for (const { path, text } of renderPlan(samplePlan)) {
    assert.ok(text.endsWith('\n'), path);
    assert.doesNotMatch(text, /[ \t]$/m, path);
  }
});
