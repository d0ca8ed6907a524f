import { CausewayError } from '../../src/core/errors.ts';
import { needPrograms, progressTo, type Wanted } from '../../src/programs/index.ts';
import { loadedWith, readProjectFile } from '../support/source-tree.ts';

/**
 * Gets the real programs that these test files name with `needReal`, before the clock of any test runs: a first build of
 * Kubernetes takes minutes. What cannot be had is said here once; its tests then skip, or fail under CI.
 */
export async function getPrograms(files: readonly string[]): Promise<void> {
  const progress = progressTo(process.stderr);
  for (const name of realProgramsNamedBy(files)) {
    try {
      await needPrograms([name], { progress });
    } catch (error) {
      if (!(error instanceof CausewayError)) throw error;
      progress.note(`${error.message} [${error.code}]`);
    }
  }
}

/** Test files call helpers, so what they load is searched as well. */
function realProgramsNamedBy(files: readonly string[]): Wanted[] {
  const loaded = [...loadedWith(...files)].filter((file) => /^(test|bench)\/.*\.ts$/.test(file));
  return [...new Set(loaded.flatMap((file) => realProgramsIn(readProjectFile(file))))].sort();
}

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The names in every call of needReal, also those in lists; an example in a comment asks for nothing. */
export const realProgramsIn = (text: string): Wanted[] =>
  [...text.replace(comments, '').matchAll(/needReal\(\s*\w+,(?:[^()]|\([^()]*\))*\)/g)].flatMap(([call]) =>
    [...call.matchAll(/'([^']+)'/g)].map(([, name]) => name as Wanted),
  );
