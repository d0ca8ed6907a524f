/** How many tests there were, as Node's runner counts them. */
export interface Tally {
  tests: number;
  suites: number;
  passed: number;
  failed: number;
  cancelled: number;
  skipped: number;
  todo: number;
  milliseconds: number;
}

export const noTests: Tally = {
  tests: 0,
  suites: 0,
  passed: 0,
  failed: 0,
  cancelled: 0,
  skipped: 0,
  todo: 0,
  milliseconds: 0,
};

/** A stage that is no test (types, lint) counts only when it fails: then as one failure. */
export const oneFailure: Tally = { ...noTests, failed: 1 };

/** A cancelled test (it ran out of time, or its parent ended) has not kept its promise either. */
export const failuresIn = ({ failed, cancelled }: Tally): number => failed + cancelled;

export function addTallies(a: Tally, b: Tally): Tally {
  const sum = { ...a };
  for (const key of Object.keys(sum) as (keyof Tally)[]) sum[key] += b[key];
  return sum;
}

/** The runner's own summary, summed up, and one plain line for people and scripts. */
export function closingLines(tally: Tally): string {
  const rows: [string, number][] = [
    ['tests', tally.tests],
    ['suites', tally.suites],
    ['pass', tally.passed],
    ['fail', tally.failed],
    ['cancelled', tally.cancelled],
    ['skipped', tally.skipped],
    ['todo', tally.todo],
    ['duration_ms', Math.round(tally.milliseconds)],
  ];
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  return [
    ...rows.map(([name, count]) => `ℹ ${name} ${count}`),
    `${tally.passed} passed, ${failuresIn(tally)} failed${skipped}`,
  ].join('\n');
}
