import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlanningCode, planningCodes } from '../../model/index.ts';
import { rowById } from '../catalogue/index.ts';
import { placeOf, review } from './cases/case.ts';
import { cases } from './cases/index.ts';

const codes = Object.keys(planningCodes) as PlanningCode[];

test('a sound platform has no findings', () => {
  assert.deepEqual(review(), []);
});

for (const code of codes) {
  for (const { when, change, at, says, fix } of cases[code].fires)
    test(`${code} fires when ${when}`, () => {
      const all = review(change);
      const own = all.filter((finding) => finding.code === code && placeOf(finding) === at);
      assert.equal(own.length, 1, `expected one at ${at}, got ${JSON.stringify(all, null, 1)}`);
      assert.match(own[0]?.message ?? '', says);
      assert.match(own[0]?.fix ?? '', fix ?? /./);
      assert.equal(own[0]?.severity, planningCodes[code].severity);
    });
  for (const { when, change } of cases[code].quiet)
    test(`${code} stays quiet when ${when}`, () => {
      assert.deepEqual(
        review(change).filter((finding) => finding.code === code),
        [],
      );
    });
}

test('every code explains itself, names a fix and rows of the catalogue', () => {
  for (const code of codes) {
    const { title, explanation, fix, rows } = planningCodes[code];
    assert.match(code, /^CW-[A-Z0-9]+(-[A-Z0-9]+)*$/);
    for (const text of [title, explanation, fix]) assert.ok(text.length > 10, code);
    assert.ok(!title.endsWith('.') && explanation.endsWith('.') && fix.endsWith('.'), code);
    assert.ok(rows.length > 0, code);
    for (const row of rows) assert.ok(rowById.has(row), `${code} names ${row}`);
  }
});
