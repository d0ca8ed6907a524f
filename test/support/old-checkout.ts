// An earlier commit of this project, with the packages of this one, for tests of what it left behind.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { linkPackages } from './clone.ts';
import type { Undo } from './gateway/undo.ts';
import type { Manifest } from './local-platform.ts';
import { projectRoot } from './source-tree.ts';

export interface OldCheckout {
  /** Its command line, for `causewayLater` and `running`. */
  readonly main: string;
  /** What its `init` writes for the template `local`. */
  readonly manifests: readonly Manifest[];
}

export function checkOut(t: Undo, commit: string): OldCheckout {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectRoot }).status !== 0)
    throw new Error(`${commit} is not in this checkout: clone with the whole history, or run git fetch --unshallow`);
  const scratch = mkdtempSync(path.join(tmpdir(), 'causeway-old-'));
  t.after(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  const [archive, root] = [path.join(scratch, 'commit.tar'), path.join(scratch, 'checkout')];
  mkdirSync(root);
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: projectRoot });
  execFileSync('tar', ['-xf', archive, '-C', root]);
  linkPackages(root);
  const example = path.join(root, 'examples/local');
  const manifests = globSync('**/*.yaml', { cwd: example }).map((file) => ({
    path: file,
    text: readFileSync(path.join(example, file), 'utf8'),
  }));
  return { main: path.join(root, 'src/cli/main.ts'), manifests };
}
