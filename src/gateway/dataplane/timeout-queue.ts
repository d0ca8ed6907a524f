// Entries with the same timeout: the first one added is the first one due, so a linked list in order is the whole timer.

export interface TimeoutEntry {
  before: TimeoutEntry | undefined;
  after: TimeoutEntry | undefined;
  since: number;
}

export class TimeoutQueue<Item extends TimeoutEntry> {
  #first: Item | undefined;
  #last: Item | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }
  get oldest(): Item | undefined {
    return this.#first;
  }

  add(item: Item, now: number): void {
    item.since = now;
    item.before = this.#last;
    if (this.#last === undefined) this.#first = item;
    else this.#last.after = item;
    this.#last = item;
    this.#size += 1;
  }

  /** The item must be in this queue. */
  remove(item: Item): void {
    const before = item.before as Item | undefined;
    const after = item.after as Item | undefined;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    item.before = undefined;
    item.after = undefined;
    this.#size -= 1;
  }

  /** The oldest, if it came before the given time. */
  due(before: number): Item | undefined {
    return this.#first !== undefined && this.#first.since <= before ? this.#first : undefined;
  }
}
