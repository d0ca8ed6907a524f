// One set of figures from many workers. What a worker counted stays counted after it ended, so counters never go back.

/**
 * Series by name: "connections CLUSTER SERVICE", the same for `open`, `sent` and `received`, "half-open", and
 * "refusals CLUSTER SERVICE LISTENER REASON". No part has a space in it; what is not known is empty.
 */
export type Counters = Readonly<Record<string, number>>;

const isGauge = (series: string): boolean => series.startsWith('open ') || series === 'half-open';

export class Totals {
  readonly #ended = new Map<string, number>();
  readonly #workers = new Map<object, Map<string, number>>();

  /** Only what changed since this worker's last report. */
  report(worker: object, changed: Counters): void {
    const known = this.#workers.get(worker) ?? new Map<string, number>();
    this.#workers.set(worker, known);
    for (const series in changed) known.set(series, changed[series] ?? 0);
  }

  ended(worker: object): void {
    for (const [series, value] of this.#workers.get(worker) ?? [])
      if (!isGauge(series)) add(this.#ended, series, value);
    this.#workers.delete(worker);
  }

  /** Series of clusters that are gone for good would otherwise pile up for ever. */
  forget(gone: ReadonlySet<string>): void {
    for (const counters of [this.#ended, ...this.#workers.values()])
      for (const series of counters.keys()) if (gone.has(series.split(' ')[1] ?? '')) counters.delete(series);
  }

  sum(): Map<string, number> {
    const sum = new Map(this.#ended);
    for (const counters of this.#workers.values()) for (const [series, value] of counters) add(sum, series, value);
    return sum;
  }

  of(worker: object): ReadonlyMap<string, number> {
    return this.#workers.get(worker) ?? new Map();
  }
}

const add = (counters: Map<string, number>, series: string, value: number): void => {
  counters.set(series, (counters.get(series) ?? 0) + value);
};
