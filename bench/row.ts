// Every benchmark gives rows of this shape, so that they all read alike.

export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** The same figure for others, measured in the same run. */
  readonly peers: Readonly<Record<string, number>>;
  /** Ours to the best peer; null where there is no peer. */
  readonly ratio: number | null;
  readonly goal: string;
  readonly met: boolean;
}

export interface Benchmark {
  readonly run: (progress: (line: string) => void) => Promise<{ readonly rows: readonly Row[] }>;
}
