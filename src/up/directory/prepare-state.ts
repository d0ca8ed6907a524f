// The directories of a running platform, made so that nobody else can read them.
import { chmodSync, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { PlatformHome } from '../../control-plane/home.ts';
import { CausewayError } from '../../core/errors.ts';

/** The schema that editors use lies there too, and belongs to the manifests. */
const ignored = '# Keys, data and logs of the platform that runs here: never to be committed.\n*\n!schema.json\n';

export function prepareState(home: PlatformHome): void {
  mkdirSync(home.state, { recursive: true, mode: 0o700 });
  chmodSync(home.state, 0o700);
  const gitignore = path.join(home.state, '.gitignore');
  if (!existsSync(gitignore)) writeFileSync(gitignore, ignored);
  for (const directory of [path.dirname(home.run), home.run]) makePrivate(directory);
}

/** Below a directory that others may write to, it could be somebody else's. */
function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stats = lstatSync(directory);
  if (stats.isDirectory() && stats.uid === userInfo().uid && (stats.mode & 0o022) === 0) return;
  throw new CausewayError(
    'CW-UP-RUN-DIRECTORY',
    `${directory} is not a directory that only you can write to, so sockets cannot be put there`,
    'remove it, or set XDG_RUNTIME_DIR to a directory of your own',
  );
}
