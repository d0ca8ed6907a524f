import assert from 'node:assert/strict';
import { existsSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { generatedDirectories, generatedFiles } from '../src/cli/reference/index.ts';
import { assertGolden } from './support/golden.ts';
import { projectRoot, readProjectFile } from './support/source-tree.ts';

const files = generatedFiles();

test('reference, schemas, CRDs and examples are what the sources make of them', async (t) => {
  for (const file of files) await t.test(file.path, () => assertGolden(path.join(projectRoot, file.path), file.text));
});

test('nothing that is no longer made stays behind', () => {
  const known = new Set(files.map((file) => file.path));
  const stray = generatedDirectories
    .flatMap((dir) => globSync(`${dir}/**`, { cwd: projectRoot, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(projectRoot, path.join(entry.parentPath, entry.name)))
    .filter((file) => !known.has(file) && !file.endsWith('causeway.lock.yaml'));
  if (process.env.CAUSEWAY_UPDATE === '1') for (const file of stray) rmSync(path.join(projectRoot, file));
  else assert.deepEqual(stray, []);
});

test('every link in the documents leads somewhere', () => {
  const pages = globSync('{docs,examples}/**/*.md', { cwd: projectRoot }).concat('README.md', 'CONTRIBUTING.md');
  const broken = pages
    .filter((page) => existsSync(path.join(projectRoot, page)))
    .flatMap((page) =>
      linksOf(page)
        .filter((link) => !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );
  assert.deepEqual(broken, []);
});

const linksOf = (page: string): string[] =>
  [...readProjectFile(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
  if (!existsSync(path.join(projectRoot, target))) return false;
  return anchor === undefined || anchorsOf(target).has(anchor);
}

/** As GitHub makes them: lower case, hyphens for spaces, no punctuation. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...readProjectFile(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
