// What the profiles of our processes say, in a few lines: which functions the time went to, of what was not idle.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}
interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

const linesPerProfile = 15;

/** One paragraph per process, the busiest first. */
export function summarize(directory: string): string[] {
  const files = readdirSync(directory, { encoding: 'utf8', recursive: true }).filter((file) =>
    file.endsWith('.cpuprofile'),
  );
  const all = files.map((file) => {
    const spent = timeByFunction(JSON.parse(readFileSync(path.join(directory, file), 'utf8')) as Profile);
    return { file, spent, busy: sum([...spent.values()]) };
  });
  return all
    .sort((a, b) => b.busy - a.busy)
    .flatMap(({ file, spent, busy }) => [heading(file, busy), ...top(spent, busy)]);
}

function timeByFunction({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const spent = new Map<string, number>();
  samples.forEach((id, i) => {
    const name = names.get(id) ?? '?';
    spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[i] ?? 0));
  });
  spent.delete('(idle)');
  return spent;
}

const nameOf = ({ functionName, url, lineNumber }: Frame): string =>
  url === '' ? functionName : `${functionName || 'anonymous'} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;

const heading = (file: string, busy: number): string => `${file}: busy for ${(busy / 1e6).toFixed(1)} s`;

const top = (spent: ReadonlyMap<string, number>, busy: number): string[] =>
  [...spent]
    .sort(([, a], [, b]) => b - a)
    .slice(0, linesPerProfile)
    .map(([name, time]) => `  ${((100 * time) / busy).toFixed(1).padStart(5)} %  ${name}`);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
