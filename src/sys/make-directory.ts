import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a directory and its parents, and tells the first one that was missing. Node's own recursive mkdir never comes
 * back where a parent exists but takes no children (/proc).
 */
export function makeDirectory(directory: string, mode = 0o777): string | undefined {
  const missing: string[] = [];
  for (let at = path.resolve(directory); !exists(at); at = path.dirname(at)) missing.unshift(at);
  for (const at of missing) makeOne(at, mode);
  return missing[0];
}

const exists = (at: string): boolean => statSync(at, { throwIfNoEntry: false }) !== undefined;

/** Somebody else may have made it meanwhile. */
function makeOne(at: string, mode: number): void {
  try {
    mkdirSync(at, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
