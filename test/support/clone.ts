// A checkout of its own with the packages of this one, for tests of what commands leave behind in a checkout.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Undo } from './gateway/undo.ts';
import type { Result } from './mini-project.ts';
import { committedFiles, projectRoot } from './source-tree.ts';

export interface StartOptions {
  readonly cwd?: string;
  /** The launcher as it is called. @default the one in the clone */
  readonly as?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Clone {
  readonly scratch: string;
  readonly root: string;
  /** Runs the launcher; `HOME` is a directory of its own. */
  start(args: readonly string[], options?: StartOptions): Promise<Result>;
  /** Runs the program that `up` starts when everything is ready. */
  makeBundle(): void;
}

export function cloneProject(t: Undo): Clone {
  const scratch = mkdtempSync(path.join(tmpdir(), 'causeway-clone-'));
  t.after(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  const root = path.join(scratch, 'clone');
  for (const file of committedFiles()) cpSync(path.join(projectRoot, file), path.join(root, file));
  linkPackages(root);
  for (const name of ['home', 'work']) mkdirSync(path.join(scratch, name));
  const own = environment(scratch);
  return {
    scratch,
    root,
    start: (args, { cwd = path.join(scratch, 'work'), as = path.join(root, 'causeway'), env } = {}) =>
      run(as, args, { cwd, env: { ...own, ...env } }),
    makeBundle: () => void execFileSync(process.execPath, [path.join(root, 'src/cli/bundle/main.ts')], { env: own }),
  };
}

/** A directory of links, because bundles are written into it. */
export function linkPackages(root: string): void {
  const [packages, installed] = [path.join(root, 'node_modules'), path.join(projectRoot, 'node_modules')];
  mkdirSync(packages);
  for (const name of readdirSync(installed).filter((name) => !name.startsWith('.causeway-')))
    symlinkSync(path.join(installed, name), path.join(packages, name));
  // As the launcher writes it, so that it installs nothing.
  const lockfile = execFileSync('cksum', {
    input: readFileSync(path.join(root, 'package-lock.json')),
    encoding: 'utf8',
  });
  const flavour = `${process.versions.node.split('.')[0]}-${process.platform}-${process.arch}`;
  writeFileSync(path.join(packages, '.causeway-stamp'), `${flavour} ${lockfile}`);
}

function environment(scratch: string): NodeJS.ProcessEnv {
  const {
    // Told by the test runner to its children, which these are not.
    NODE_TEST_CONTEXT: _context,
    NODE_OPTIONS: _options,
    // With it the launcher starts the sources.
    CAUSEWAY_DEBUG: _debug,
    CAUSEWAY_COMMAND: _command,
    XDG_CONFIG_HOME: _config,
    XDG_DATA_HOME: _data,
    ...rest
  } = process.env;
  const own = { HOME: path.join(scratch, 'home'), CAUSEWAY_CACHE: path.join(scratch, 'cache') };
  return { ...rest, ...own, CAUSEWAY_NODE: process.execPath };
}

const timeoutMs = 120_000;

function run(file: string, args: readonly string[], where: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Result> {
  return new Promise((resolve) => {
    const child = execFile(file, args, { ...where, timeout: timeoutMs }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end();
  });
}
