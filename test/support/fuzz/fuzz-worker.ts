// A thread that fuzzes one target. Whoever started it sees in shared memory which input is being tried, so that one that
// never ends can be told.
import { parentPort, workerData } from 'node:worker_threads';
import { fuzz } from './coverage-guided.ts';
import type { WorkerJob } from './fuzz-target.ts';

const { bundle, name, counters, seeds, seedOf, shared, ...limits }: WorkerJob = workerData;
const state = new Int32Array(shared, 0, 2);
const memory = Buffer.from(shared, state.byteLength);
const hits = new Uint8Array(counters);
Object.assign(globalThis, { fuzzHits: hits });

const module = (await import(bundle)) as Readonly<Record<string, unknown>>;
const own = seedOf === undefined ? [] : [Buffer.from(module[seedOf] as string)];
const result = fuzz({
  ...limits,
  target: module[name] as (input: Buffer) => void,
  seeds: [...own, ...seeds.map((seed) => Buffer.from(seed))],
  hits,
  begins: (input) => {
    state[1] = input.copy(memory);
    Atomics.add(state, 0, 1);
  },
});
parentPort?.postMessage(result);
