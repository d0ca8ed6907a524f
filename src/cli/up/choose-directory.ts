// Which platform is meant when no directory is named: the one that is here, or the one in ./platform.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeAtomically } from '../../render/write/write-atomically.ts';

const usual = 'platform';

export const platformDirectory = (named: string | undefined): string => named ?? (isPlatform('.') ? '.' : usual);

/** The same; a first platform is written where there is none. */
export async function platformToStart(named: string | undefined): Promise<string> {
  const directory = platformDirectory(named);
  if (named === undefined && directory === usual && !existsSync(usual)) await writeFirst(usual);
  return directory;
}

/** Only files of the directory itself: those below may be many platforms. */
const isPlatform = (directory: string): boolean =>
  readdirSync(directory)
    .filter((name) => /\.ya?ml$/.test(name))
    .some((name) => /^kind: Platform\s*$/m.test(readFileSync(path.join(directory, name), 'utf8')));

async function writeFirst(directory: string): Promise<void> {
  const { filesOf, proposedAnswers } = await import('../init/templates.ts');
  for (const { path: name, text } of filesOf('local', proposedAnswers))
    writeAtomically(path.join(directory, name), text);
  process.stdout.write(`wrote a first platform to ./${directory}: edit it while it runs\n`);
}
