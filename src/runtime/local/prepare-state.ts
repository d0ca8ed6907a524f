// The directories of a running platform, made so that nobody else can read them.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PlatformHome } from './home.ts';
import { ownRunDirectory } from './own-path.ts';

/** The schema that editors use lies there too, and belongs to the manifests. */
const ignored = '# Keys, data and logs of the platform that runs here: never to be committed.\n*\n!schema.json\n';

export function prepareState(home: PlatformHome): void {
  mkdirSync(home.state, { recursive: true, mode: 0o700 });
  chmodSync(home.state, 0o700);
  const gitignore = path.join(home.state, '.gitignore');
  if (!existsSync(gitignore)) writeFileSync(gitignore, ignored);
  if (ownRunDirectory(home)) return;
  mkdirSync(home.run, { recursive: true, mode: 0o700 });
  ownRunDirectory(home);
}
