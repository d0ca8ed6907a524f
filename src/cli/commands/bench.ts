import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Row } from '../../../bench/row.ts';
import { CausewayError } from '../../core/errors.ts';
import { suggestion } from '../../core/suggest.ts';
import { writeAtomically } from '../../sys/write-atomically.ts';
import { table } from '../views/table.ts';

const folder = fileURLToPath(new URL('../../../bench/', import.meta.url));

interface Options {
  json?: string;
  output?: string;
  only?: string;
  peers?: string;
  peersOnly?: boolean;
  rounds?: string;
  profile?: boolean;
}

export async function runBench(name: string, options: Options): Promise<number> {
  const known = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  if (!known.includes(name))
    throw new CausewayError('CW-CLI-BENCH', `there is no benchmark "${name.slice(0, 80)}"`, suggestion(name, known));
  const benchmark = (await import(`${folder}${name}/index.ts`)) as Benchmark;
  const { rows } = await benchmark.run((line) => process.stderr.write(`${line}\n`), {
    ...options,
    only: options.only?.split(','),
    peers: options.peers?.split(','),
    rounds: rounds(options.rounds),
  });
  const json = `${JSON.stringify({ rows }, null, 2)}\n`;
  process.stdout.write(options.output === 'json' ? json : rowsText(rows));
  if (options.json !== undefined) writeAtomically(options.json, json);
  return 0;
}

function rounds(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,2}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new CausewayError('CW-CLI-BENCH', `"${text}" is no number of rounds`, 'give a number from 1 to 999');
}

const rowsText = (rows: readonly Row[]): string => {
  const withCost = rows.some((row) => row.cost !== undefined);
  return table(
    ['NAME', 'UNIT', 'OURS', 'PEERS', 'RATIO', 'GOAL', 'MET', ...(withCost ? ['PROCESSOR TIME'] : [])],
    rows.map((row) => [
      row.name,
      row.unit,
      figure(row.ours),
      listed(row.peers),
      row.ratio === null ? '-' : figure(row.ratio),
      row.goal,
      row.met ? 'yes' : 'NO',
      ...(withCost ? [row.cost === undefined ? '-' : `${row.cost.unit}: ${listed(row.cost.of)}`] : []),
    ]),
  );
};

const figure = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
const listed = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${figure(value)}`)
    .join(', ');
