// Every benchmark gives rows of this shape, so that they all read alike.
import { CausewayError } from '../src/core/errors.ts';

export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** The same figure for others, measured in the same run. */
  readonly peers: Readonly<Record<string, number>>;
  /** Ours to the peer that the goal names; null where there is none. */
  readonly ratio: number | null;
  readonly goal: string;
  readonly met: boolean;
  /** What one unit of work costs each of them in processor time, ours included: the least noisy figure there is. */
  readonly cost?: { readonly unit: string; readonly of: Readonly<Record<string, number>> };
  /** Each round's figure, of which the row gives the median. */
  readonly rounds?: Readonly<Record<string, readonly number[]>>;
}

/** What a run is limited to; a benchmark without peers or rounds ignores that. */
export interface BenchOptions {
  readonly only?: readonly string[];
  readonly peers?: readonly string[];
  /** Leave ourselves out. */
  readonly peersOnly?: boolean;
  readonly rounds?: number;
  /** Write processor profiles of our own processes, and say where. */
  readonly profile?: boolean;
}

export interface Benchmark {
  readonly run: (progress: (line: string) => void, options: BenchOptions) => Promise<{ readonly rows: readonly Row[] }>;
}

/** The names as they are; refuses one that a benchmark does not have, before anything is measured. */
export function known(kind: 'row' | 'peer', names: readonly string[], all: readonly string[]): readonly string[] {
  const unknown = names.find((name) => !all.includes(name));
  if (unknown === undefined) return names;
  throw new CausewayError('CW-CLI-BENCH', `there is no ${kind} "${unknown}"`, `known are ${all.join(', ')}`);
}
