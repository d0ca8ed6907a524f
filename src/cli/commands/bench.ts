import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Row } from '../../../bench/row.ts';
import { CausewayError } from '../../core/errors.ts';
import { columns } from '../../render/text/columns.ts';
import { writeAtomically } from '../write-file.ts';

const folder = fileURLToPath(new URL('../../../bench/', import.meta.url));

export async function runBench(name: string, options: { json?: string }): Promise<number> {
  const known = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  if (!known.includes(name))
    throw new CausewayError('CW-CLI-BENCH', `there is no benchmark "${name}"`, `known are ${known.join(', ')}`);
  const benchmark = (await import(`${folder}${name}/index.ts`)) as Benchmark;
  const { rows } = await benchmark.run((line) => process.stderr.write(`${line}\n`));
  process.stdout.write(table(rows));
  if (options.json !== undefined) writeAtomically(options.json, `${JSON.stringify({ rows }, null, 2)}\n`);
  return 0;
}

const table = (rows: readonly Row[]): string =>
  columns(
    ['NAME', 'UNIT', 'OURS', 'PEERS', 'RATIO', 'GOAL', 'MET'],
    rows.map((row) => [
      row.name,
      row.unit,
      figure(row.ours),
      peers(row),
      row.ratio === null ? '-' : figure(row.ratio),
      row.goal,
      row.met ? 'yes' : 'NO',
    ]),
  );

const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
const peers = (row: Row): string =>
  Object.entries(row.peers)
    .map(([peer, value]) => `${peer} ${figure(value)}`)
    .join(', ');
