// Subjects take turns: every round measures each of them for a short time, each round begins with another one.
import { CausewayError } from '../../src/core/errors.ts';
import type { Row } from '../row.ts';
import { atLeast, atMostPeer, type BySubject, type Measured, rowOf } from './figures.ts';
import type { LoadResult } from './load.ts';
import { cpuSeconds } from './process-tree.ts';
import type { SpeedRow } from './speed-rows.ts';
import type { Setting, Subject } from './subject.ts';

const slice = '2s';
/** Long enough for a compiler at run time to see what is hot. */
const firstSlice = '1500ms';

export interface SpeedRun {
  readonly rows: readonly SpeedRow[];
  readonly rounds: number;
  readonly progress: (line: string) => void;
}

export async function measureSpeed(subjects: readonly Subject[], setting: Setting, run: SpeedRun): Promise<Row[]> {
  for (const row of run.rows) for (const subject of subjects) await measure(row, subject, setting, firstSlice);
  const measured = new Map(run.rows.map((row) => [row, [] as BySubject<Measured>[]]));
  for (let round = 0; round < run.rounds; round++)
    for (const row of run.rows) {
      const figures = withoutWire(row, await measureRound(row, rotated(subjects, round), setting));
      measured.get(row)?.push(figures);
      run.progress(`${row.name} ${round + 1}/${run.rounds}: ${told(figures)} ${row.unit}`);
    }
  return run.rows.map((row) => rowOf(judgedOf(row), measured.get(row) ?? []));
}

const judgedOf = (row: SpeedRow): Parameters<typeof rowOf>[0] => ({
  name: row.name,
  unit: row.unit,
  costUnit: row.cost.unit,
  ...(row.added ? atMostPeer : atLeast(row.goal)),
});

async function measureRound(row: SpeedRow, subjects: readonly Subject[], setting: Setting) {
  const figures: BySubject<Measured> = {};
  for (const subject of subjects) figures[subject.name] = await measure(row, subject, setting, slice);
  return figures;
}

async function measure(row: SpeedRow, subject: Subject, { load }: Setting, duration: string): Promise<Measured> {
  const roots = subject.programs.map((program) => program.pid);
  const before = cpuSeconds(roots);
  const result = await load.run(row.command, { address: subject.address, duration, ...row.options });
  const spent = cpuSeconds(roots) - before;
  for (const program of subject.programs) program.check();
  refuseErrors(row, subject, result);
  return {
    figure: row.figure(result),
    ...(roots.length === 0 ? {} : { cost: (spent * row.cost.factor) / result.total }),
  };
}

/** Fast and wrong is not fast. */
function refuseErrors(row: SpeedRow, subject: Subject, { errors, done, firstError }: LoadResult): void {
  if (errors === 0 && done > 0) return;
  const why = errors === 0 ? 'nothing came through' : `${errors} errors, the first: ${firstError}`;
  throw new CausewayError('CW-CLI-BENCH', `${subject.name} failed in ${row.name}: ${why}`, 'its figures say nothing');
}

/** Added latency is what is left when the wire's, of the same round, is taken off. */
function withoutWire(row: SpeedRow, figures: BySubject<Measured>): BySubject<Measured> {
  const { wire, ...others } = figures;
  if (!row.added || wire === undefined) return figures;
  const added = Object.entries(others).map(([name, of]) => [name, { ...of, figure: of.figure - wire.figure }]);
  return { ...Object.fromEntries(added), 'wire itself': wire };
}

const rotated = <Item>(items: readonly Item[], by: number): Item[] =>
  items.map((_, i) => items[(i + by) % items.length] as Item);

const told = (figures: BySubject<Measured>): string =>
  Object.entries(figures)
    .sort()
    .map(([name, { figure }]) => `${name} ${Math.abs(figure) >= 100 ? figure.toFixed(0) : figure.toPrecision(3)}`)
    .join(', ');
