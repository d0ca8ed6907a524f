// Whether a tenant's API server answers as fast while a neighbour on the same machine lists in a loop or fills its store.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createKubeClient, type KubeClient } from '../../src/kube/index.ts';
import { createUndoList } from '../../test/support/gateway/undo.ts';
import { type BenchOptions, known, type Row } from '../row.ts';
import type { NoiseJob, NoiseKind } from './noise.ts';
import { startTenant, type Tenant } from './tenant.ts';

const kinds: readonly NoiseKind[] = ['lists', 'writes'];
const parallel = 32;
const usualRounds = 3;
const roundMs = 10_000;
const pauseMs = 10;
/** Alone in a round, p99 differs by about this much from itself. */
const goal = 2;

export async function run(progress: (line: string) => void, options: BenchOptions): Promise<{ rows: Row[] }> {
  const wanted = known('row', options.only ?? kinds, kinds);
  const undo = createUndoList();
  try {
    const [quiet, noisy] = [await startTenant(undo), await startTenant(undo)];
    const rows: Row[] = [];
    for (const kind of kinds.filter((each) => wanted.includes(each)))
      rows.push(await measureRow(kind, quiet, noisy, options.rounds ?? usualRounds, progress));
    return { rows };
  } finally {
    await undo.run();
  }
}

async function measureRow(
  kind: NoiseKind,
  quiet: Tenant,
  noisy: Tenant,
  rounds: number,
  progress: (line: string) => void,
): Promise<Row> {
  const client = createKubeClient(quiet.access);
  const alone: Latency[] = [];
  const beside: Latency[] = [];
  await latency(client, 2_000);
  for (let round = 1; round <= rounds; round++) {
    alone.push(await latency(client, roundMs));
    const noise = await startNoise({ kind, access: noisy.access, parallel });
    try {
      await sleep(1_000);
      beside.push(await latency(client, roundMs));
    } finally {
      noise.kill();
    }
    progress(`${kind} ${round}: ${JSON.stringify({ alone: alone.at(-1), beside: beside.at(-1) })}`);
    await sleep(2_000);
  }
  client.close();
  const [ours, peer] = [median(beside.map(({ p99 }) => p99)), median(alone.map(({ p99 }) => p99))];
  return {
    name: kind,
    unit: 'ms p99',
    ours,
    peers: { alone: peer, 'p50 alone': median(alone.map(({ p50 }) => p50)), p50: median(beside.map(({ p50 }) => p50)) },
    ratio: ours / peer,
    goal: `≤ ${goal} × alone`,
    met: ours <= goal * peer,
    rounds: { beside: beside.map(({ p99 }) => p99), alone: alone.map(({ p99 }) => p99) },
  };
}

interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** A read from the store and a small one from memory, one after the other. */
async function latency(client: KubeClient, forMs: number): Promise<Latency> {
  const times: number[] = [];
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    const sent = performance.now();
    await client.get('/api/v1/namespaces/default/configmaps/kube-root-ca.crt');
    times.push(performance.now() - sent);
    await sleep(pauseMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function startNoise(job: NoiseJob): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('noise.ts', import.meta.url))], {
    env: { ...process.env, NOISE_JOB: JSON.stringify(job) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('no noise'))),
  ]);
  return child;
}
