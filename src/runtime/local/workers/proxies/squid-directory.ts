// Where squid finds passwords and names. Started by root it gives up root for a user of its own, who must be able to read
// and write there, and who cannot look into the state of the platform.
import { chownSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { privateDirectory, readPrivate, writePrivate } from '../../../../control-plane/private-files.ts';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Ourselves, unless squid will be somebody else. */
function squidUser(): Owner {
  const us = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (us.uid !== 0) return us;
  const line = /^(?:proxy|squid):[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return line === null ? us : { uid: Number(line[1]), gid: Number(line[2]) };
}

export interface SquidDirectory {
  readonly directory: string;
  /** A file that squid's user can read, and nobody else. */
  write(file: string, text: string): void;
  remove(): void;
}

/** The same one at every start, so that a squid that still runs is left alone. */
export function squidDirectory(state: string, name: string): SquidDirectory {
  privateDirectory(state);
  const owner = squidUser();
  const note = path.join(state, `${name}-directory`);
  const known = readPrivate(note)?.trim();
  const directory = known !== undefined && isOwnedBy(known, owner) ? known : newDirectory(state, owner);
  writePrivate(note, `${directory}\n`);
  return {
    directory,
    write: (file, text) => {
      // Never through a link that squid's user may have put there.
      rmSync(file, { force: true });
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
      chownSync(file, owner.uid, owner.gid);
    },
    remove: () => {
      for (const each of [directory, note]) rmSync(each, { recursive: true, force: true });
    },
  };
}

function newDirectory(state: string, owner: Owner): string {
  const parent = owner.uid === process.getuid?.() ? state : tmpdir();
  const directory = mkdtempSync(path.join(parent, 'causeway-squid-'));
  chownSync(directory, owner.uid, owner.gid);
  return directory;
}

function isOwnedBy(directory: string, { uid }: Owner): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === uid;
}
