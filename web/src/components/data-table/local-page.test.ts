import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../api/types.ts';
import { hasWords, localPage } from './local-page.ts';

const rows = Array.from({ length: 120 }, (_, row) => row);

test('walking from page to page meets every row once', () => {
  const seen: number[] = [];
  let at: string | undefined = '';
  while (at !== undefined) {
    const page: Page<number> = localPage(rows, { limit: 50, continue: at });
    seen.push(...page.items);
    at = page.continue;
  }
  assert.deepEqual(seen, rows);
});

test('an address that was mistyped shows the first page', () => {
  assert.equal(localPage(rows, { limit: 50, continue: 'x' }).items[0], 0);
});

test('words are found in any order and case, and no words fit everything', () => {
  assert.ok(hasWords('Seed gateway 6443', 'GATE seed'));
  assert.ok(!hasWords('Seed gateway', 'seed users'));
  assert.ok(hasWords('anything', ''));
});
