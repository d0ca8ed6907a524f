// A platform of the template on addresses of its own, with as many clusters as asked for, run by the command line.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { controlClient } from '../../src/cli/control/control-client.ts';
import { manifestsOf } from '../../src/cli/init/templates.ts';
import { CausewayError } from '../../src/core/errors.ts';
import type { ObservedComponent } from '../../src/runtime/platform-runtime.ts';

const launcher = fileURLToPath(new URL('../../causeway', import.meta.url));
const runFile = promisify(execFile);
const startTimeoutMs = 10 * 60_000;

export interface Subject {
  readonly directory: string;
  /** All of its addresses begin with this. */
  readonly network: string;
  at(...names: string[]): string;
  /** Resolves when all is ready; answers how long that took. */
  up(...flags: string[]): Promise<number>;
  down(): Promise<void>;
  causeway(...args: string[]): Promise<string>;
  components(): Promise<readonly ObservedComponent[]>;
  remove(): Promise<void>;
}

/** The four of the template, or so many that share the gateway's ports. */
export function createSubject(network: string, clusters: 'template' | number): Subject {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-bench-'));
  const at = (...names: string[]): string => path.join(directory, ...names);
  writeTemplate(at, network);
  if (clusters !== 'template') replaceClusters(at, clusters);
  const causeway = async (...args: string[]): Promise<string> =>
    (await runFile(launcher, args, { cwd: directory, maxBuffer: 2 ** 26 }).catch(refused(args))).stdout;
  const down = async (): Promise<void> => void (await causeway('down').catch(() => undefined));
  return {
    directory,
    network,
    at,
    causeway,
    down,
    up: (...flags) => readyAfter(directory, ['up', '--port', '0', ...flags]),
    async components() {
      const status = await controlClient(directory).ask('GET', '/api/v1/status');
      return (JSON.parse(status) as { components: ObservedComponent[] }).components;
    },
    async remove() {
      await down();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** In the foreground, as at a terminal, until it says that all is there; `down` ends it. */
async function readyAfter(directory: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(launcher, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes('Ctrl-C stops it.')) resolve(performance.now() - began);
    });
  child.once('exit', () => reject(notReady(said)));
  const late = setTimeout(() => reject(notReady(said)), startTimeoutMs);
  return promise.finally(() => clearTimeout(late));
}

function writeTemplate(at: Subject['at'], network: string): void {
  const answers = { domain: 'bench.example.com', name: 'bench' };
  for (const { path: name, text } of manifestsOf('local', answers, '.causeway/schema.json')) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text.replaceAll('127.50.', `${network}.`));
  }
}

function replaceClusters(at: Subject['at'], count: number): void {
  for (const name of readdirSync(at('clusters'))) rmSync(at('clusters', name));
  for (let number = 1; number <= count; number++) writeFileSync(at('clusters', `c${number}.yaml`), manifestOf(number));
}

const manifestOf = (number: number): string =>
  `apiVersion: causeway.dev/v1alpha1
kind: Cluster
metadata:
  name: c${number}
spec:
  datacenter: local
  kubernetesVersion: 1.36.3
`;

const refused =
  (args: readonly string[]) =>
  ({ stderr, message }: Error & { stderr?: string }): never => {
    const why = stderr?.trim() || message;
    throw new CausewayError('CW-CLI-BENCH', `"causeway ${args.join(' ')}" failed: ${why}`, 'run it by hand to see why');
  };

function notReady(said: string): CausewayError {
  const last = said.trim().split('\n').slice(-5).join(' ');
  return new CausewayError('CW-CLI-BENCH', `the platform did not get ready: ${last}`, 'run "causeway up" to see why');
}
