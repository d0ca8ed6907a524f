// Manifests as they were in a git revision: `REV`, or `REV:path`. Read with git itself, without touching the work tree.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CausewayError } from '../../core/errors.ts';
import { lockFile } from '../../model/allocations.ts';
import { type Loaded, loadFiles, renderIndexFile } from '../../model/load/index.ts';
import { isPlatformText, usualDirectory } from '../up/choose-directory.ts';

/** Nothing where the text names something on disk. */
export async function loadRevision(source: string, dir: string | undefined): Promise<Loaded | undefined> {
  if (existsSync(source) || source === '-') return undefined;
  const colon = source.indexOf(':');
  const [revision, named] = colon < 0 ? [source, dir] : [source.slice(0, colon), source.slice(colon + 1)];
  const commit = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], source).trim();
  const tracked = git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], source).split('\0');
  const read = (name: string): string => git(['cat-file', 'blob', `${commit}:${name}`], source);
  const path = named ?? usualPlace(tracked, read);
  const prefix = path === '.' ? '' : `${path.replace(/\/+$/, '')}/`;
  const paths = manifestsIn(tracked.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)));
  if (paths.length === 0)
    throw new CausewayError(
      'CW-DIFF-EMPTY',
      `${revision} has no manifests below ${path}`,
      'name the directory with REV:path or --dir, as seen from the top of the repository',
    );
  const files = paths.map((name) => ({
    path: `${revision}:${prefix}${name}`,
    text: read(prefix + name),
  }));
  const lock = files.find((file) => file.path === `${revision}:${prefix}${lockFile}`);
  const manifests = files.filter((file) => file !== lock);
  return loadFiles(manifests, lock === undefined ? {} : { lock });
}

/** The rule of src/cli/up/choose-directory.ts, with the top of the repository as "here". */
const usualPlace = (tracked: readonly string[], read: (name: string) => string): string =>
  tracked.some((name) => /^[^./][^/]*\.ya?ml$/i.test(name) && isPlatformText(read(name))) ? '.' : usualDirectory;

/** As a directory is read: without what is hidden, and without output of `render`. */
function manifestsIn(names: readonly string[]): string[] {
  const rendered = names
    .filter((name) => name.endsWith(`/${renderIndexFile}`))
    .map((name) => name.slice(0, -renderIndexFile.length));
  return names.filter(
    (name) =>
      /\.ya?ml$/.test(name) && !/(^|\/)\./.test(name) && !rendered.some((directory) => name.startsWith(directory)),
  );
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
