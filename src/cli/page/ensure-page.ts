// The dashboard is built from web/ where it is used: at the first start, and again when its sources have changed.
import { randomUUID } from 'node:crypto';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runTool } from '../../programs/index.ts';
import { withLock } from '../../sys/lock.ts';
import type { Log } from '../../sys/log.ts';
import { buildFailed, fileProblem, toolsMissing } from './errors.ts';
import { hashOfSources } from './sources.ts';

export interface PageOptions {
  /** Where this project is. */
  readonly root: string;
  readonly log: Log;
  /** Hears what is being done, in words; nothing where the page is built already. */
  readonly onProgress?: (doing: string) => void;
}

/** Written last into what was built, so a page that has it is whole. */
const stampFile = '.built-from';

/** The directory of the built page. Rejects with a `CausewayError` where it can neither be found nor built. */
export async function ensurePage({ root, log, onProgress }: PageOptions): Promise<string> {
  const page = path.join(root, 'web', 'dist');
  const wanted = await hashOfSources(root);
  const isBuilt = async (): Promise<boolean> => (await stampOf(page)) === wanted;
  // Asked before anything is locked: a directory that only can be read is enough then.
  if (await isBuilt()) return page;
  const cache = path.join(root, 'web', '.cache');
  const build = async (): Promise<void> => {
    if (await isBuilt()) return;
    onProgress?.('building the dashboard');
    await buildInto(root, page, path.join(cache, `part-${randomUUID()}`), wanted);
    log.info('built the dashboard', { directory: page });
  };
  try {
    await mkdir(cache, { recursive: true });
    await withLock(path.join(cache, 'build.lock'), build, {
      waiting: (owner) => onProgress?.(`waiting for ${owner}, which builds the dashboard`),
    });
  } catch (error) {
    throw fileProblem(error, path.dirname(page));
  }
  return page;
}

const stampOf = (page: string): Promise<string | undefined> =>
  readFile(path.join(page, stampFile), 'utf8').catch(() => undefined);

/** Built aside and renamed: a page that is there is whole, and stays where a new one cannot be built. */
async function buildInto(root: string, page: string, part: string, stamp: string): Promise<void> {
  const old = `${part}-old`;
  try {
    await bundle(root, part);
    await writeFile(path.join(part, stampFile), stamp);
    await rename(page, old).catch(unlessThereIsNone);
    await rename(part, page);
  } finally {
    await Promise.all([part, old].map((directory) => rm(directory, { recursive: true, force: true })));
  }
}

function unlessThereIsNone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function bundle(root: string, directory: string): Promise<void> {
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await access(vite).catch(() => {
    throw toolsMissing(root);
  });
  const args = [vite, 'build', '--outDir', directory, '--emptyOutDir', '--logLevel', 'error'];
  const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' };
  const { code, stdout, stderr } = await runTool(process.execPath, args, { cwd: path.join(root, 'web'), env });
  if (code !== 0) throw buildFailed(complaint(`${stdout}\n${stderr}`));
}

/** The first lines say what is wrong; the stack of the bundler below them helps nobody. */
const complaint = (said: string): string =>
  stripVTControlCharacters(said)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '))
    .slice(0, 4)
    .join(' ')
    .slice(0, 500);
