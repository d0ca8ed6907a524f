import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Compares a text with the file that is committed for it; `causeway test --update` writes the file instead,
 * and the review reads the diff.
 */
export function assertGolden(file: string | URL, actual: string): void {
  const name = typeof file === 'string' ? file : fileURLToPath(file);
  if (process.env.CAUSEWAY_UPDATE === '1') {
    mkdirSync(path.dirname(name), { recursive: true });
    writeFileSync(name, actual);
    return;
  }
  const hint = 'If the change is meant, run ./causeway test --update and review the diff.';
  assert.ok(existsSync(name), `${name} does not exist. ${hint}`);
  assert.equal(actual, readFileSync(name, 'utf8'), `${name} differs. ${hint}`);
}
