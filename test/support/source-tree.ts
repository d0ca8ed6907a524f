import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

export const readProjectFile = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

/** Our TypeScript files, as paths from the project's root. */
export const sourceFiles = (pattern = '{src,test,bench,web/src}/**/*.{ts,tsx}'): string[] =>
  globSync(pattern, { cwd: projectRoot }).sort();

export const isTest = (file: string): boolean => file.endsWith('.test.ts');

/** Fails with one line per offender; what to do about it is in each line. */
export const nobody = (offenders: readonly string[]): void => assert.deepEqual(offenders, []);

/** What git has or would take: the project without what is generated, installed or ignored. */
export function committedFiles(): string[] {
  const files = existsSync(path.join(projectRoot, '.git')) ? listedByGit() : filesOfAnExport();
  return files.filter((file) => statSync(path.join(projectRoot, file), { throwIfNoEntry: false })?.isFile());
}

function listedByGit(): string[] {
  // A checkout may belong to another user than the one who tests it.
  const args = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\0').filter(Boolean);
}

const filesOfAnExport = (): string[] => globSync('**', { cwd: projectRoot, exclude: ['node_modules/**', '.cache/**'] });

export interface Import {
  specifier: string;
  /** `static` is loaded with its importer, `lazy` when it is asked for, `type` never. */
  kind: 'static' | 'lazy' | 'type';
}

const importStatement = /^(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const importCall = /\bimport\(\s*['"]([^'"]+)['"]/g;

export function importsOf(text: string): Import[] {
  const statements = [...text.matchAll(importStatement)].map(
    ([, type, specifier = '']): Import => ({ specifier, kind: type ? 'type' : 'static' }),
  );
  const calls = [...text.matchAll(importCall)].map(([, specifier = '']): Import => ({ specifier, kind: 'lazy' }));
  return [...statements, ...calls];
}

export const isRelative = (specifier: string): boolean => specifier.startsWith('.');

/** The file a relative import means, from the project's root. */
export const resolveImport = (importer: string, specifier: string): string =>
  path.posix.join(path.posix.dirname(importer), specifier);

/** Everything that is loaded when these files are: our own files, and the names of packages and built-ins. */
export function loadedWith(...entries: string[]): Set<string> {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    if (!file.endsWith('.ts')) return;
    for (const { specifier, kind } of importsOf(readProjectFile(file))) {
      if (kind !== 'static') continue;
      visit(isRelative(specifier) ? resolveImport(file, specifier) : packageName(specifier));
    }
  };
  for (const entry of entries) visit(entry);
  return seen;
}

export const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
