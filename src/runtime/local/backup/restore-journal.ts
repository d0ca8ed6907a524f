// A restore exchanges several directories. What goes where is written down first: one that was killed in between is
// finished by whoever comes next, so that data and keys are of the same backup, all old or all new.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../../core/errors.ts';
import { writePrivate } from '../../../sys/private-files.ts';

/** Names below the directory of the cluster, which may be moved meanwhile. */
export interface Exchange {
  readonly place: string;
  readonly ready: string;
  /** Where what is in that place goes. */
  readonly aside: string;
}

export interface RestoreJournal {
  readonly backup: string;
  readonly exchanges: readonly Exchange[];
}

/** What changes the disk, so that a test can end it anywhere. */
export interface JournalFiles {
  write(file: string, text: string): void;
  rename(from: string, to: string): void;
  remove(file: string): void;
}

const usualFiles: JournalFiles = {
  write: writePrivate,
  rename: renameSync,
  remove: (file) => rmSync(file, { force: true }),
};

const journalFile = (root: string): string => path.join(root, 'restore.json');

export function exchangeAll(root: string, journal: RestoreJournal, files = usualFiles): void {
  files.write(journalFile(root), `${JSON.stringify(journal)}\n`);
  try {
    carryOut(root, journal, files);
  } catch (error) {
    // A disk that refuses once often does not twice, and a cluster must not go on with half of it.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    carryOut(root, journal, files);
  }
}

/** The name of the backup whose restore was finished; undefined where none was left unfinished. */
export function finishRestore(root: string, files = usualFiles): string | undefined {
  const file = journalFile(root);
  if (!existsSync(file)) return undefined;
  const journal = readJournal(file);
  carryOut(root, journal, files);
  return journal.backup;
}

/** Those of all clusters, by name. */
export function finishRestores(clusters: string): [cluster: string, backup: string][] {
  if (!existsSync(clusters)) return [];
  return readdirSync(clusters).flatMap((cluster): [string, string][] => {
    const backup = finishRestore(path.join(clusters, cluster));
    return backup === undefined ? [] : [[cluster, backup]];
  });
}

/** Each step looks at what is there, so it may be done again. */
function carryOut(root: string, { exchanges }: RestoreJournal, files: JournalFiles): void {
  for (const exchange of exchanges) {
    const [place, ready, aside] = [exchange.place, exchange.ready, exchange.aside].map((name) => path.join(root, name));
    if (place === undefined || ready === undefined || aside === undefined || !existsSync(ready)) continue;
    if (existsSync(place)) files.rename(place, aside);
    files.rename(ready, place);
  }
  files.remove(journalFile(root));
}

function readJournal(file: string): RestoreJournal {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RestoreJournal;
  } catch (error) {
    throw new CausewayError(
      'CW-RESTORE-JOURNAL',
      `a restore was interrupted, and ${file} cannot be read: ${(error as Error).message}`,
      'look at what is beside it: *.restoring is what was to come, *.before-* what was there; put the pair of pki and etcd that you want in its place, then delete the file',
    );
  }
}
