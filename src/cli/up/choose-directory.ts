// Which platform is meant when no directory is named: the one that is here, or the one in ./platform. One rule for every command.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { writeAtomically } from '../../sys/write-atomically.ts';

export const usualDirectory = 'platform';

/** Throws where nothing is named and neither place has a platform. */
export function platformDirectory(named: string | undefined): string {
  const directory = named ?? usualPlace();
  if (named === undefined && !existsSync(directory)) throw noPlatform();
  return directory;
}

/** The same; a first platform is written where there is none, but not beside manifests whose Platform has a mistake. */
export async function platformToStart(named: string | undefined): Promise<string> {
  const directory = named ?? usualPlace();
  if (named !== undefined || existsSync(directory)) return directory;
  const manifest = textsIn('.').find(({ text }) => isManifestText(text));
  if (manifest !== undefined) throw noPlatformAmong(manifest.name);
  await writeFirst(directory);
  return directory;
}

const usualPlace = (): string => (isPlatform('.') ? '.' : usualDirectory);

/** Only files of the directory itself: those below may be many platforms. */
const isPlatform = (directory: string): boolean => textsIn(directory).some(({ text }) => isPlatformText(text));

/** One is read after the other, as long as somebody asks. */
const textsIn = (directory: string): IteratorObject<{ readonly name: string; readonly text: string }> =>
  readdirSync(directory, { withFileTypes: true })
    .values()
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && /^[^.].*\.ya?ml$/i.test(entry.name))
    .map(({ name }) => ({ name, text: readIfPossible(path.join(directory, name)) }));

/** Quickly, and for texts that cannot be parsed too. */
export const isPlatformText = (text: string): boolean => /^kind:[ \t]*(["']?)Platform\1[ \t]*(#.*)?\r?$/m.test(text);

const isManifestText = (text: string): boolean => /^apiVersion:[ \t]*["']?causeway\.dev\//m.test(text);

/** Whoever reads the manifests says why one cannot be read. */
function readIfPossible(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const noPlatform = (): CausewayError =>
  new CausewayError(
    'CW-CLI-NO-PLATFORM',
    `no manifest of kind Platform is here, and there is no directory ./${usualDirectory}`,
    `name the directory of the manifests, or write a first set: causeway init ${usualDirectory}`,
  );

const noPlatformAmong = (name: string): CausewayError =>
  new CausewayError(
    'CW-CLI-NO-PLATFORM',
    `${name} is a manifest, but none of kind Platform is here, and there is no directory ./${usualDirectory}`,
    'mend the kind of the Platform ("causeway validate ." tells what is wrong), or name the directory of the manifests',
  );

async function writeFirst(directory: string): Promise<void> {
  const { filesOf, proposedAnswers } = await import('../init/templates.ts');
  for (const { path: name, text } of filesOf('local', proposedAnswers))
    writeAtomically(path.join(directory, name), text);
  process.stdout.write(`wrote a first platform to ./${directory}: edit it while it runs\n`);
}
