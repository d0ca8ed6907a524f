import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { lockFile } from '../../model/index.ts';
import { type Loaded, load, loadFiles, manifestsAmong } from '../../model/load/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { diffPlans, type Request, type TeamDiff } from '../../render/index.ts';
import { printFindings, review } from '../pipeline.ts';
import { isPlatformText, usualDirectory } from '../up/choose-directory.ts';
import { bold, dim, green, red } from '../views/table.ts';

interface Options {
  readonly dir?: string;
  readonly output: 'text' | 'json' | 'md';
}

export async function runDiff(a: string, b: string, options: Options): Promise<number> {
  const [before, after] = [await planOf(a, options.dir), await planOf(b, options.dir)];
  process.stdout.write(shown(diffPlans(before, after), options.output));
  return exitCodes.ok;
}

const shown = (teams: readonly TeamDiff[], output: Options['output']): string => {
  if (output === 'json') return `${JSON.stringify({ teams }, null, 2)}\n`;
  return output === 'md' ? markdownDiff(teams) : textDiff(teams);
};

async function planOf(source: string, dir: string | undefined): Promise<Plan> {
  const loaded = (await loadRevision(source, dir)) ?? (await load(source));
  const reviewed = review(loaded);
  if (reviewed.planned !== undefined) return reviewed.planned.plan;
  printFindings(reviewed, process.stderr);
  throw new CausewayError(
    'CW-DIFF-UNREADABLE',
    `${source} cannot be planned`,
    'mend the findings above',
    exitCodes.findings,
  );
}

// Manifests as they were in a git revision: `REV`, or `REV:path`. Read with git itself, without touching the work tree.

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
  const below = tracked.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const paths = manifestsAmong(below, (name) => read(prefix + name));
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

const titles: Record<TeamDiff['team'], readonly [ask: string, close: string]> = {
  firewall: ['Ask the firewall team to open', 'The firewall team may close'],
  dns: ['Ask the DNS team to create', 'The DNS team may delete'],
  certificates: ['Ask the certificate team for', 'Certificates no longer needed'],
  'allow-list': ['Ask for on the allow-list', 'May go from the allow-list'],
  addresses: ['Reserve', 'Free again'],
};

const nothing = 'Nothing changes for firewall, DNS, certificates, allow-list or addresses.\n';

export function textDiff(teams: readonly TeamDiff[]): string {
  const blocks = teams.flatMap(({ team, ask, close }) => [
    block(titles[team][0], ask, (r) => `  ${green('+')} ${r.text}${why(r)}`),
    block(titles[team][1], close, (r) => `  ${red('-')} ${r.text}`),
  ]);
  return blocks.join('') || nothing;
}

const why = (request: Request): string => (request.reason === '' ? '' : `\n      ${dim(request.reason)}`);
const block = (title: string, requests: readonly Request[], line: (request: Request) => string): string =>
  requests.length === 0 ? '' : `${bold(title)}\n${requests.map(line).join('\n')}\n\n`;

/** For a pull request: one section per team, ready to be copied into a ticket. */
export function markdownDiff(teams: readonly TeamDiff[]): string {
  const section = (title: string, requests: readonly Request[]): string =>
    requests.length === 0
      ? ''
      : `### ${title}\n\n${requests.map((r) => `- \`${r.text.replaceAll('`', "'")}\` ${r.reason}`.trimEnd()).join('\n')}\n\n`;
  const text = teams
    .map(({ team, ask, close }) => section(titles[team][0], ask) + section(titles[team][1], close))
    .join('');
  return text || nothing;
}
