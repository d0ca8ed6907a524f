// Manifests as they were in a git revision: `REV`, or `REV:path`. Read with git itself, without touching the work tree.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CausewayError } from '../../core/errors.ts';
import { lockFile } from '../../model/allocations.ts';
import { type Loaded, loadFiles } from '../../model/load/index.ts';

/** Nothing where the text names something on disk. */
export async function loadRevision(source: string, dir: string): Promise<Loaded | undefined> {
  if (existsSync(source) || source === '-') return undefined;
  const colon = source.indexOf(':');
  const [revision, path] = colon < 0 ? [source, dir] : [source.slice(0, colon), source.slice(colon + 1)];
  const prefix = path === '.' ? '' : `${path.replace(/\/+$/, '')}/`;
  const commit = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], source).trim();
  const paths = git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], source)
    .split('\0')
    .filter((name) => name.startsWith(prefix) && /\.ya?ml$/.test(name) && !/(^|\/)\./.test(name.slice(prefix.length)));
  if (paths.length === 0)
    throw new CausewayError(
      'CW-DIFF-EMPTY',
      `${revision} has no manifests below ${path}`,
      'name the directory with REV:path or --dir, as seen from the top of the repository',
    );
  const files = paths.map((name) => ({
    path: `${revision}:${name}`,
    text: git(['cat-file', 'blob', `${commit}:${name}`], source),
  }));
  const lock = files.find((file) => file.path === `${revision}:${prefix}${lockFile}`);
  const manifests = files.filter((file) => file !== lock);
  return loadFiles(manifests, lock === undefined ? {} : { lock });
}

function git(args: readonly string[], source: string): string {
  const { status, stdout, error } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  if (error !== undefined)
    throw new CausewayError(
      'CW-DIFF-GIT',
      `git cannot be run: ${error.message}`,
      'install git, or compare two directories',
    );
  if (status !== 0)
    throw new CausewayError(
      'CW-DIFF-SOURCE',
      `${source} is neither a directory nor a git revision`,
      'name a directory, a revision (HEAD~1) or REV:path',
    );
  return stdout;
}
