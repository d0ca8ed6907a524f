import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';

/** A directory that goes when the test ends. */
export function scratch(t: TestContext): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'causeway-gateway-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
