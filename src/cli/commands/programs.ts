import { megabytes } from '../../core/amounts.ts';
import { CausewayError } from '../../core/errors.ts';
import { suggestion } from '../../core/suggest.ts';
import { gatewayPrograms } from '../../programs/catalogue/index.ts';
import {
  locateProgram,
  needPrograms,
  progressTo,
  readOrder,
  type Surveyed,
  surveyPrograms,
  type Wanted,
} from '../../programs/index.ts';
import { table } from '../views/table.ts';

interface Options {
  dir?: string;
  output: 'table' | 'json';
}

const actions: Record<string, (names: readonly string[], options: Options) => Promise<void>> = { list, get, path };

export async function runPrograms(action: string, names: readonly string[], options: Options): Promise<number> {
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined) {
    const fix = suggestion(action, Object.keys(actions));
    throw new CausewayError('CW-CLI-ACTION', `programs has no action "${action.slice(0, 80)}"`, fix);
  }
  await run(names, options);
  return 0;
}

async function list(names: readonly string[], { dir, output }: Options): Promise<void> {
  const wanted = names.map((name) => readOrder(name).name);
  const rows = (await surveyPrograms({ dir })).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  process.stdout.write(output === 'json' ? `${JSON.stringify(rows, null, 2)}\n` : listText(rows));
}

function listText(rows: readonly Surveyed[]): string {
  const head = ['NAME', 'VERSION', 'WHERE', 'SIZE', 'FROM'];
  const body = rows.map(({ name, version, place, bytes, origin }) => [
    name,
    version,
    place ?? '-',
    bytes === undefined ? '-' : megabytes(bytes),
    origin,
  ]);
  return table(head, body);
}

async function get(names: readonly string[], { dir }: Options): Promise<void> {
  const wanted = names.length === 0 ? gatewayPrograms : (names as Wanted[]);
  const paths = await needPrograms(wanted, { dir, progress: progressTo(process.stderr) });
  process.stdout.write(table(['NAME', 'PATH'], Object.entries(paths)));
}

/** For scripts: one path per line and nothing else; nothing is fetched. */
async function path(names: readonly string[], { dir }: Options): Promise<void> {
  if (names.length === 0) {
    throw new CausewayError('CW-CLI-ACTION', 'path needs the name of a program', 'causeway programs list shows them');
  }
  for (const name of names) process.stdout.write(`${await locateProgram(name, { dir })}\n`);
}
