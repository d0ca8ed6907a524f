// Tells each worker what the others did, for clusters with limits. Only what changed is passed on.
import { getOrAdd } from '../../core/collections.ts';
import type { LimitCounts } from './messages.ts';

export const exchangeMs = 100;

export class LimitExchange<Worker> {
  readonly #open = new Map<Worker, Map<string, number>>();
  /** Since the last round: cluster → who admitted how many. A cluster whose count changed is here in any case. */
  #news = new Map<string, Map<Worker, number>>();

  add(worker: Worker): void {
    const known = [...this.#open.values()].flatMap((counts) => [...counts.keys()]);
    // What the others have open is news to a worker that has just begun.
    for (const cluster of known) this.#newsOf(cluster);
    this.#open.set(worker, new Map());
  }

  report(worker: Worker, counts: LimitCounts): void {
    const known = this.#open.get(worker);
    if (known === undefined) return;
    for (const cluster in counts) {
      const [open, admitted] = counts[cluster] ?? [0, 0];
      const news = this.#newsOf(cluster);
      news.set(worker, (news.get(worker) ?? 0) + admitted);
      if (open === 0) known.delete(cluster);
      else known.set(cluster, open);
    }
  }

  remove(worker: Worker): void {
    for (const cluster of this.#open.get(worker)?.keys() ?? []) this.#newsOf(cluster);
    this.#open.delete(worker);
  }

  /** What each worker is to be told now. */
  *round(): Iterable<[Worker, LimitCounts]> {
    const news = this.#news;
    if (news.size === 0) return;
    this.#news = new Map();
    for (const worker of this.#open.keys()) {
      const others: Record<string, [number, number]> = {};
      for (const [cluster, admitted] of news)
        others[cluster] = [this.#othersOpen(worker, cluster), admittedByOthers(admitted, worker)];
      yield [worker, others];
    }
  }

  #newsOf(cluster: string): Map<Worker, number> {
    return getOrAdd(this.#news, cluster, () => new Map<Worker, number>());
  }

  #othersOpen(worker: Worker, cluster: string): number {
    let sum = 0;
    for (const [other, counts] of this.#open) if (other !== worker) sum += counts.get(cluster) ?? 0;
    return sum;
  }
}

function admittedByOthers<Worker>(admitted: ReadonlyMap<Worker, number>, worker: Worker): number {
  let sum = 0;
  for (const [other, count] of admitted) if (other !== worker) sum += count;
  return sum;
}
