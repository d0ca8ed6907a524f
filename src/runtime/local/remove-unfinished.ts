// What a process that was killed had begun to write. Nobody reads it, and it may hold keys. Only while the directory is
// claimed: what somebody is writing at this moment looks the same.
import { globSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { PlatformHome } from './home.ts';

/** Below the state, after restores have been finished: what is ready for one then never was to be. */
const places = [
  ...['', 'backup-state/', 'clusters/*/', 'clusters/*/pki/', 'gateways/*/'].map((directory) => `${directory}*.tmp`),
  ...['clusters/*/*.restoring', 'clusters/*/*.restoring.db', 'backups/*/*.tmp', 'backups/*/.*.part'],
];

/** Names that writePrivate and writeAtomically give. */
const isOurs = (name: string): boolean => !name.endsWith('.tmp') || /\.(\d+-)?[0-9a-f]{8}\.tmp$/.test(name);

export function removeUnfinished({ state }: Pick<PlatformHome, 'state'>): void {
  for (const name of globSync(places, { cwd: state }).filter(isOurs))
    rmSync(path.join(state, name), { recursive: true, force: true });
}
