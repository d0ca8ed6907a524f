export interface Request {
  /** Stable identity of the thing, for pairing. */
  readonly key: string;
  readonly text: string;
  readonly reason: string;
}

export interface Reasoned {
  readonly text: string;
  readonly reasons: readonly string[];
  readonly rows: readonly string[];
}

/** One request per thing, with everything it is needed for. */
export function mergedRequests(all: readonly Reasoned[]): Request[] {
  const same = Map.groupBy(all, ({ text }) => text);
  return [...same].map(([text, needs]) => {
    const reasons = new Set(needs.flatMap((need) => need.reasons));
    const rows = new Set(needs.flatMap((need) => need.rows));
    return { key: text, text, reason: `${[...reasons].join(' ')} [${[...rows].join(', ')}]` };
  });
}

/** Those of the first list that the second does not have. */
export function newRequests(wanted: readonly Request[], known: readonly Request[]): Request[] {
  const keys = new Set(known.map(({ key }) => key));
  return wanted.filter(({ key }) => !keys.has(key));
}
