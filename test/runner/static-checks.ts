import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { noTests, oneFailure, type Tally } from './tally.ts';
import { root } from './test-files.ts';

type Print = (text: string) => unknown;

export const runTypes = (print: Print): Promise<Tally> => runTool(print, 'types', 'tsc', ['--noEmit', '-p', root]);

/** The page lives in a browser, whose types are others than Node's. */
export const runPageTypes = (print: Print): Promise<Tally> =>
  runTool(print, 'types of the page', 'tsc', ['--noEmit', '-p', path.join(root, 'web')]);

export const runLint = (print: Print): Promise<Tally> =>
  runTool(print, 'lint', 'biome', [
    'ci',
    '--error-on-warnings',
    '--max-diagnostics=none',
    `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
    root,
  ]);

async function runTool(print: Print, stage: string, tool: string, args: string[]): Promise<Tally> {
  const program = path.join(root, 'node_modules/.bin', tool);
  if (!existsSync(program)) {
    print(`${stage}: ${tool} is not installed. Remove node_modules and start again, which installs it.`);
    return oneFailure;
  }
  const started = performance.now();
  const { code, output } = await runQuietly(program, args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(code === 0 ? `${stage}: fine, ${seconds} s` : `${output}\n${stage}: FAILED, ${seconds} s`);
  return code === 0 ? noTests : oneFailure;
}

function runQuietly(program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString().trimEnd() }));
  });
}
