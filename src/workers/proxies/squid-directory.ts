// Where squid finds passwords and names. Started by root it gives up root for a user of its own, who must be able to read
// and write there, and who cannot look into the state of the platform.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Undefined where squid stays who we are. */
function squidUser(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8').match(/^(?:proxy|squid):[^:]*:(\d+):(\d+):/m);
  return line === null ? undefined : { uid: Number(line[1]), gid: Number(line[2]) };
}

export interface SquidDirectory {
  readonly directory: string;
  /** A file that squid's user can read, and nobody else. */
  write(file: string, text: string): void;
}

export function squidDirectory(state: string): SquidDirectory {
  const owner = squidUser();
  const directory =
    owner === undefined ? path.join(state, 'proxy') : mkdtempSync(path.join(tmpdir(), 'causeway-squid-'));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  give(directory, owner);
  return {
    directory,
    write: (file, text) => {
      writeFileSync(file, text, { mode: 0o600 });
      chmodSync(file, 0o600);
      give(file, owner);
    },
  };
}

function give(at: string, owner: Owner | undefined): void {
  if (owner !== undefined) chownSync(at, owner.uid, owner.gid);
}
