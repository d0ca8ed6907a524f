// Work for peers that nobody knows yet, so much in each turn of the event loop: whoever is known already is served in every
// turn, and does not wait for a crowd of new ones. In order of arrival; without a crowd nothing waits.

export class TurnQueue<Item> {
  readonly #perTurn: number;
  readonly #start: (item: Item) => void;
  #waiting: Item[] = [];
  #started = 0;
  #scheduled = false;

  constructor(perTurn: number, start: (item: Item) => void) {
    this.#perTurn = perTurn;
    this.#start = start;
  }

  add(item: Item): void {
    if (this.#started < this.#perTurn && this.#waiting.length === 0) this.#begin(item);
    else this.#waiting.push(item);
    this.#schedule();
  }
  clear(): void {
    this.#waiting = [];
  }

  #begin(item: Item): void {
    this.#started += 1;
    this.#start(item);
  }
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#nextTurn());
  }
  #nextTurn(): void {
    this.#scheduled = false;
    this.#started = 0;
    while (this.#started < this.#perTurn) {
      const item = this.#waiting.shift();
      if (item === undefined) return;
      this.#begin(item);
      this.#schedule();
    }
  }
}
