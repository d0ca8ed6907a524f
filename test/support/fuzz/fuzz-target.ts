// Bundles one target with counters in its branches, and fuzzes it in a thread of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { projectRoot } from '../source-tree.ts';
import type { FuzzResult } from './coverage-guided.ts';
import { instrument } from './instrument.ts';

export interface FuzzRequest {
  /** A module of targets, and which of its exports is meant. */
  readonly file: string;
  readonly name: string;
  readonly seeds: readonly Buffer[];
  /** An export of the module that is one more seed. */
  readonly seedOf?: string;
  readonly runs: number;
  readonly longest?: number;
  /** Sources whose branches count. */
  readonly sources?: RegExp;
  /** An input that takes longer does not end. @default 60000, which nothing takes that a reader may do, on any machine */
  readonly hangMs?: number;
}

export interface WorkerJob {
  readonly bundle: string;
  readonly name: string;
  readonly counters: number;
  readonly words: readonly string[];
  readonly seeds: readonly Uint8Array[];
  readonly seedOf?: string;
  readonly runs: number;
  readonly longest: number;
  readonly shared: SharedArrayBuffer;
}

export interface FuzzReport extends Omit<FuzzResult, 'failure'> {
  /** What went wrong, with the input in hexadecimal. */
  readonly failure?: string;
}

const ownSources = /\/src\/.*\.ts$|\/node_modules\/js-yaml\//;
export async function fuzzTarget(request: FuzzRequest): Promise<FuzzReport> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-fuzz-'));
  try {
    const { bundle, counters, words } = await bundled(request, directory);
    const { name, seeds, seedOf, runs, longest = 4096, hangMs = 60_000 } = request;
    const shared = new SharedArrayBuffer(8 + 128 * 1024);
    const job: WorkerJob = { bundle, name, counters, words, seeds, runs, longest, shared, ...(seedOf && { seedOf }) };
    const { failure, ...result } = await inThread(job, hangMs);
    const told = failure && `input ${Buffer.from(failure.input).toString('hex')}: ${inspect(failure.error)}`;
    return { ...result, ...(told && { failure: told }) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function bundled({ file, name, seedOf, sources = ownSources }: FuzzRequest, directory: string) {
  const made = instrument(sources);
  const entry = `export { ${[name, seedOf].filter(Boolean).join(', ')} } from ${JSON.stringify(file)};`;
  const bundle = await rolldown({
    input: 'fuzz-entry',
    cwd: projectRoot,
    platform: 'node',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'fuzz-entry' ? id : undefined),
        load: (id) => (id === 'fuzz-entry' ? entry : undefined),
      },
      made.plugin,
    ],
  });
  const target = path.join(directory, 'target.mjs');
  await bundle.write({ file: target, format: 'esm' });
  await bundle.close();
  return { bundle: target, counters: made.branches(), words: made.words() };
}

/** The worst answer is none: then the thread is ended, and the input told that it did not end with. */
function inThread(workerData: WorkerJob, hangMs: number): Promise<FuzzResult> {
  const worker = new Worker(new URL('fuzz-worker.ts', import.meta.url), { workerData });
  const state = new Int32Array(workerData.shared, 0, 2);
  return new Promise((resolve, reject) => {
    let before = -1;
    const watch = setInterval(() => {
      const runs = Atomics.load(state, 0);
      if (runs === before) {
        const input = Buffer.from(workerData.shared, 8, state[1]);
        resolve({ runs, reached: 0, corpus: 0, failure: { input: Buffer.from(input), error: 'it does not end' } });
        void worker.terminate();
      }
      before = runs;
    }, hangMs);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => clearInterval(watch));
  });
}
