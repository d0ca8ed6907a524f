// How long it takes to read, check and plan a platform, what memory that needs, and whether the cost grows with its size
// and not faster.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { CausewayError } from '../../src/core/errors.ts';
import { type BenchOptions, known, type Row } from '../row.ts';
import type { Memory, Times } from './measure.ts';
import { bigPlatform } from './platform.ts';

const sizes = [1_000, 10_000, 50_000];
const goalSize = 10_000;
/** Noise allowed on top of exact proportion. */
const linear = 1.5;
const perSize = ['read-and-validate', 'plan', 'replan-one', 'memory', 'heap'];
const growthNames = ['growth-plan', 'growth-replan', 'growth-read'];
const rowNames = [...sizes.flatMap((size) => perSize.map((name) => `${name}-${size}`)), ...growthNames];

interface Measured extends Times, Memory {
  readonly clusters: number;
}

export async function run(progress: (line: string) => void, { only }: BenchOptions): Promise<{ rows: Row[] }> {
  const wanted = known('row', only ?? rowNames, rowNames);
  const results: Measured[] = [];
  for (const size of sizes.filter((size) => isMeasured(size, wanted))) {
    progress(`${size} clusters …`);
    results.push(await measure(size));
  }
  const rows = [...results.flatMap(rowsOf), ...growth(results)];
  return { rows: rows.filter(({ name }) => wanted.includes(name)) };
}

/** Growth is told from the two larger sizes. */
const isMeasured = (size: number, wanted: readonly string[]): boolean =>
  wanted.some((name) => name.endsWith(`-${size}`)) ||
  (size >= goalSize && growthNames.some((name) => wanted.includes(name)));

async function measure(clusters: number): Promise<Measured> {
  const dir = mkdtempSync(join(tmpdir(), 'causeway-bench-'));
  try {
    for (const resource of bigPlatform(clusters))
      writeFileSync(join(dir, `${resource.kind}-${resource.metadata.name}.yaml`), stringify(resource));
    return { clusters, ...(await inProcess<Times>('times', dir)), ...(await inProcess<Memory>('memory', dir)) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const program = fileURLToPath(new URL('./measure.ts', import.meta.url));

async function inProcess<Result>(what: 'times' | 'memory', dir: string): Promise<Result> {
  const child = spawn(process.execPath, ['--expose-gc', program, what, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const measured = await text(child.stdout);
  const [code, signal] = (await ended) as [number | null, string | null];
  if (code === 0) return JSON.parse(measured) as Result;
  const why = `measuring ${what} ended with ${signal ?? `exit code ${code}`}`;
  throw new CausewayError('CW-CLI-BENCH', why, 'see above; a kill by the system means that there is too little memory');
}

function rowsOf(m: Measured): Row[] {
  const row = (name: string, unit: string, ours: number, limit: number): Row => {
    const judged = m.clusters === goalSize;
    return {
      name: `${name}-${m.clusters}`,
      unit,
      ours,
      peers: {},
      ratio: null,
      goal: judged ? `< ${limit}` : 'shown',
      met: !judged || ours < limit,
    };
  };
  return [
    row('read-and-validate', 's', m.readMs / 1000, 5),
    row('plan', 'ms', m.planMs, 1000),
    row('replan-one', 'ms', m.replanMs, 20),
    row('memory', 'MiB', m.maxRssMiB, 350),
    row('heap', 'MiB', m.heapMiB, 120),
  ];
}

/** Time per cluster at the largest size against the middle one: 1.0 is exactly linear. */
function growth(results: readonly Measured[]): Row[] {
  const [middle, large] = results.filter(({ clusters }) => clusters >= goalSize);
  if (middle === undefined || large === undefined) return [];
  const per = (of: (m: Measured) => number): number => of(large) / large.clusters / (of(middle) / middle.clusters);
  const row = (name: string, ours: number): Row => ({
    name,
    unit: '×',
    ours,
    peers: {},
    ratio: null,
    goal: `≤ ${linear}`,
    met: ours <= linear,
  });
  return [
    row(
      'growth-plan',
      per((m) => m.planMs),
    ),
    row(
      'growth-replan',
      per((m) => m.replanMs),
    ),
    row(
      'growth-read',
      per((m) => m.readMs),
    ),
  ];
}
