// Go as a source of judges: programs of ours that are built once per source, and files out of other projects' modules.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needProgram } from './programs.ts';

const run = promisify(execFile);
const judges = fileURLToPath(new URL('../judges/', import.meta.url));
const cache = (): string =>
  path.join(process.env.CAUSEWAY_CACHE ?? path.join(homedir(), '.cache', 'causeway'), 'judges');

/** Path of a program in `test/judges`, built where its sources are new; undefined, and the test skipped, without Go. */
export async function needJudge(t: TestContext, name: string): Promise<string | undefined> {
  const go = needProgram(t, 'go');
  if (go === undefined) return undefined;
  return withNetwork(t, goProgram(go, path.join(judges, name)));
}

/** Path of the program that a directory of Go sources makes, built where its sources are new. */
export async function goProgram(go: string, source: string): Promise<string> {
  const binary = path.join(cache(), `${path.basename(source)}-${sourceHash(source)}`);
  if (!existsSync(binary)) {
    mkdirSync(cache(), { recursive: true });
    // Built aside and renamed: two runs may build at the same time.
    const part = `${binary}.${process.pid}`;
    await run(go, ['build', '-o', part, '.'], { cwd: source });
    renameSync(part, binary);
  }
  return binary;
}

function sourceHash(directory: string): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(directory).sort()) hash.update(file).update(readFileSync(path.join(directory, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Directory of a module of another project; undefined, and the test skipped, where it cannot be had. */
export async function needGoModule(t: TestContext, module: string): Promise<string | undefined> {
  const go = needProgram(t, 'go');
  if (go === undefined) return undefined;
  const downloaded = await withNetwork(t, run(go, ['mod', 'download', '-json', module], { cwd: tmpdir() }));
  return downloaded && (JSON.parse(downloaded.stdout) as { Dir: string }).Dir;
}

/** Without network a laptop skips; CI fails, because nobody reads what CI skipped. */
async function withNetwork<Result>(t: TestContext, work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    t.skip(`Go could not get what the test needs: ${(error as Error).message.split('\n')[0]}`);
    return undefined;
  }
}
