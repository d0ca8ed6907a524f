import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { projectRoot } from './source-tree.ts';

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface StartOptions {
  args?: string[];
  cwd?: string;
  /** The launcher as it is called. @default the one in the project */
  as?: string;
  env?: Record<string, string | undefined>;
  uid?: number;
  /** Told all it has said on stderr, whenever it says more. */
  heard?: (stderr: string) => unknown;
}

export interface MiniProject {
  scratch: string;
  root: string;
  cache: string;
  start: (options?: StartOptions) => Promise<Result>;
}

const manifest = { name: 'mini', version: '1.0.0', dependencies: { dep: 'file:dep' } };
const lockfile = {
  name: 'mini',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': manifest,
    dep: { version: '1.0.0' },
    'node_modules/dep': { resolved: 'dep', link: true },
  },
};

const main = `import { value } from 'dep';
process.stdout.write(JSON.stringify({ value, args: process.argv.slice(2), cwd: process.cwd(), node: process.execPath }));
`;

/** A project with our launcher, one package that needs no network, and a program that tells what it was given. */
export function createMiniProject(t: TestContext): MiniProject {
  const scratch = mkdtempSync(path.join(tmpdir(), 'causeway launcher '));
  t.after(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  const root = path.join(scratch, 'project');
  const cache = path.join(scratch, 'cache');
  for (const part of ['causeway', 'libexec'])
    cpSync(path.join(projectRoot, part), path.join(root, part), { recursive: true });
  writeJson(path.join(root, 'package.json'), { ...manifest, type: 'module' });
  writeJson(path.join(root, 'package-lock.json'), lockfile);
  writeJson(path.join(root, 'dep/package.json'), {
    name: 'dep',
    version: '1.0.0',
    type: 'module',
    exports: './dep.js',
  });
  write(path.join(root, 'dep/dep.js'), 'export const value = 42;\n');
  write(path.join(root, 'src/cli/main.ts'), main);
  chmodSync(scratch, 0o755);
  const start = (options: StartOptions = {}): Promise<Result> =>
    run(options.as ?? path.join(root, 'causeway'), cache, options);
  return { scratch, root, cache, start };
}

function run(launcher: string, cache: string, { args = [], cwd, env, uid, heard }: StartOptions): Promise<Result> {
  const environment = { ...process.env, CAUSEWAY_NODE: process.execPath, CAUSEWAY_CACHE: cache, ...env };
  const child = spawn(launcher, args, { cwd, uid, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const result: Result = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (result.stdout += chunk));
  child.stderr.on('data', (chunk) => {
    result.stderr += chunk;
    heard?.(result.stderr);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...result, code }));
  });
}

export function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

const writeJson = (file: string, value: unknown): void => write(file, JSON.stringify(value, null, 2));

/** A PATH with nothing but the standard tools that are named, as on a bare machine. */
export function bareTools(t: TestContext, project: MiniProject, ...extra: [name: string, script: string][]): string {
  const bin = path.join(project.scratch, `bin-${t.name.length}-${extra.length}`);
  const forwarded =
    'readlink ls cksum uname mkdir rmdir rm mv cp find sleep sed tr id cut grep tar gzip sha256sum cat'.split(' ');
  const system = (name: string): string => `#!/bin/sh\nPATH=/usr/bin:/bin:/usr/sbin:/sbin exec ${name} "$@"\n`;
  for (const name of forwarded) write(path.join(bin, name), system(name), 0o755);
  for (const [name, script] of extra) write(path.join(bin, name), `#!/bin/sh\n${script}\n`, 0o755);
  return bin;
}
