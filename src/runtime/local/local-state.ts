// What a platform keeps on this machine, beside its manifests: claimed by one process, for its owner only.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { writePrivate } from '../../sys/private-files.ts';
import type { EventStore, PlatformState } from '../platform-runtime.ts';
import { finishRestores } from './backup/restore-journal.ts';
import { claimDirectory } from './claim-directory.ts';
import { openEventStore } from './event-store.ts';
import { clustersDirectory, type PlatformHome, platformHome } from './home.ts';
import { prepareState } from './prepare-state.ts';
import { removeUnfinished } from './remove-unfinished.ts';
import { type AllowedSecrets, keepAllowed } from './secret-places.ts';

/** The directory is absolute. */
export async function openState(directory: string, secrets: AllowedSecrets): Promise<PlatformState> {
  needDirectory(directory);
  const home = platformHome(directory);
  const release = await claimDirectory(directory);
  try {
    prepareState(home);
    keepAllowed(directory, secrets);
    const events = openEventStore(path.join(home.state, 'history.db'));
    finishInterrupted(home, events);
    return { ...textsIn(home), events, close: release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Before anybody reads keys or data. */
function finishInterrupted(home: PlatformHome, events: EventStore): void {
  for (const [cluster, backup] of finishRestores(clustersDirectory(home))) {
    const message = `the restore of ${backup} was interrupted, and is finished now`;
    events.add({ kind: 'cluster', level: 'warn', subject: `Cluster/${cluster}`, message });
  }
  removeUnfinished(home);
}

export function textsIn({ state }: PlatformHome): Pick<PlatformState, 'read' | 'write'> {
  const fileOf = (name: string): string => path.join(state, `${name}.json`);
  return {
    read: (name) => (existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : undefined),
    write: (name, text) => writePrivate(fileOf(name), text),
  };
}

/** Before anything is written: a name that was mistyped must not become a directory. */
function needDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new CausewayError(
    'CW-UP-DIRECTORY',
    `${directory} is not a directory`,
    'name the directory of the manifests; "causeway init DIR" writes a first set',
  );
}
