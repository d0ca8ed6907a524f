// `causeway up` against its own programs started by hand, and what it costs to have it.
import { median } from '../gateway/figures.ts';
import { needForeign } from '../programs.ts';
import { type BenchOptions, known, type Row } from '../row.ts';
import { startBare } from './bare.ts';
import { editToRoute } from './edit.ts';
import { gatewayRequests } from './gateway-requests.ts';
import { largePlatform } from './large.ts';
import { ownMemory } from './own-memory.ts';
import { createSubject, type Subject } from './subject.ts';

const sizes = [1, 4, 10];
const slowest = 1.2;
const network = '127.55';
const ofTemplate = ['own-memory', 'edit-to-route', 'gateway-requests'];
const rowNames = [...sizes.map((size) => `start-${size}`), ...ofTemplate, 'large'];

/** Names that rows had before. */
const formerNames: Readonly<Record<string, string>> = { 'door-requests': 'gateway-requests' };

export const wantedRows = (only: readonly string[] = rowNames): readonly string[] =>
  known(
    'row',
    only.map((name) => formerNames[name] ?? name),
    rowNames,
  );

type Progress = (line: string) => void;

export async function run(progress: Progress, { only, rounds = 3 }: BenchOptions): Promise<{ rows: Row[] }> {
  const names = wantedRows(only);
  const wanted = (name: string): boolean => names.includes(name);
  const browser = wanted('large') ? (await needForeign('chromium')).chromium : '';
  const rows: Row[] = [];
  for (const size of sizes) if (wanted(`start-${size}`)) rows.push(await starts(size, rounds, progress));
  if (ofTemplate.some(wanted)) rows.push(...(await template(rounds, progress)));
  if (wanted('large')) rows.push(...(await largePlatform({ network, rounds, browser, progress })));
  return { rows };
}

async function withSubject<Result>(clusters: 'template' | number, use: (subject: Subject) => Promise<Result>) {
  const subject = createSubject(network, clusters);
  try {
    return await use(subject);
  } finally {
    await subject.remove();
  }
}

/** The second start: keys and data are there, programs are in the cache of the system. */
const starts = (size: number, rounds: number, progress: Progress): Promise<Row> =>
  withSubject(size, async (subject) => {
    const flags = ['--workers', 'none'];
    progress(`start-${size}: the first start …`);
    await subject.up(...flags);
    await subject.down();
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 1; round <= rounds; round++) {
      ours.push(await subject.up(...flags));
      await subject.down();
      bare.push(await startBare(subject.directory));
      progress(`start-${size} ${round}/${rounds}: causeway ${seconds(ours)} s, bare ${seconds(bare)} s`);
    }
    return startRow(size, ours, bare);
  });

const seconds = (times: readonly number[]): string => ((times.at(-1) ?? 0) / 1000).toFixed(1);

function startRow(size: number, ours: readonly number[], bare: readonly number[]): Row {
  const ratio = median(ours.map((time, round) => time / (bare[round] ?? Number.NaN)));
  return {
    name: `start-${size}`,
    unit: 's',
    ours: median(ours) / 1000,
    peers: { bare: median(bare) / 1000 },
    ratio,
    goal: `≤ ${slowest} × bare`,
    met: ratio <= slowest,
    rounds: { causeway: ours, bare },
  };
}

const template = (rounds: number, progress: Progress): Promise<Row[]> =>
  withSubject('template', async (subject) => {
    progress('the four clusters of the template …');
    await subject.up();
    return [
      await ownMemory(subject),
      await editToRoute(subject, rounds),
      await gatewayRequests(subject, 'tunneling', rounds),
    ];
  });
