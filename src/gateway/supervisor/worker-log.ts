// Workers have no log of their own: they tell the supervisor, and it writes. So the gateway has one log, as silent as its
// owner wants it, and what several workers refuse for the same reason at the same time is one line.
import type { Log } from '../../sys/log.ts';
import type { LogEntry } from './messages.ts';

const intervalMs = 10_000;

interface Told {
  last: LogEntry;
  until: number;
  untold: number;
}

export class WorkerLog {
  readonly #log: Log;
  readonly #refusals = new Map<string, Told>();

  constructor(log: Log) {
    this.#log = log;
  }

  say(worker: number, entry: LogEntry, now: number): void {
    const { level, message, fields } = entry;
    if (fields?.refusal === undefined) this.#log[level](message, { worker, ...fields });
    else this.#refused(entry, now);
  }

  /** To be called now and then: tells what came after the first of its kind. */
  tick(now: number): void {
    for (const [key, told] of this.#refusals) {
      if (told.until > now) continue;
      if (told.untold > 0) this.#write(told.last, told.untold);
      else this.#refusals.delete(key);
      told.until = now + intervalMs;
      told.untold = 0;
    }
  }

  /** Workers are as sparing: the first at once, then a number per interval. */
  #refused(entry: LogEntry, now: number): void {
    const { refusal, cluster, listener, count } = entry.fields ?? {};
    const key = `${refusal} ${cluster ?? listener}`;
    const told = this.#refusals.get(key);
    if (told !== undefined) {
      told.last = entry;
      told.untold += Number(count);
      return;
    }
    this.#refusals.set(key, { last: entry, until: now + intervalMs, untold: 0 });
    this.#write(entry, Number(count));
  }

  #write({ level, message, fields }: LogEntry, count: number): void {
    this.#log[level](message, { ...fields, count });
  }
}
