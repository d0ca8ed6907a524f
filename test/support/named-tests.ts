// Tests that a document names: "`test/x.test.ts`: “a group › a test”, “another”". A name has … where the code fills something in.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from './named-code.ts';
import { projectRoot, readProjectFile } from './source-tree.ts';

export interface NamedTests {
  readonly file: string;
  readonly names: readonly string[];
}

const mention = /`((?:src|test|web)\/[^`\s]+\.tsx?)`:((?:[,\s]*“[^”]+”)+)/g;

export const namedTests = (markdown: string): NamedTests[] =>
  [...markdown.matchAll(mention)].map(([, file = '', names = '']) => ({
    file,
    names: [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
  }));

/** One line per file that is not there, and per name that no test or group in it has. */
export const missingTests = (markdown: string): string[] =>
  namedTests(markdown).flatMap(({ file, names }) => {
    if (!existsSync(path.join(projectRoot, file))) return [`${file} is not there`];
    const declared = testsIn(readProjectFile(file));
    const parts = names.flatMap((name) => name.split(' › '));
    return parts.filter((part) => !declared.has(part)).map((part) => `${file} has no test “${part}”`);
  });

/** What tests and groups are called, and promises that are kept as the methods of an object. */
export function testsIn(source: string): Set<string> {
  const code = codeOf(source);
  const called = /\b(?:test|it|describe)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
  const kept = /^\s+async (')([^']+)'\(/gm;
  return new Set([...code.matchAll(called), ...code.matchAll(kept)].map(([, , name = '']) => shown(name)));
}

const shown = (name: string): string => name.replaceAll(/\$\{[^}]*\}/g, '…').replaceAll(/\\(.)/g, '$1');
