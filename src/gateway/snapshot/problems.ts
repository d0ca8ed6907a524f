// What is wrong with a snapshot, in sentences that start with where it is. A broken generator makes the same mistake
// ten thousand times; a person reads the first few.

const shown = 20;

export class Problems {
  readonly #sentences: string[] = [];
  #more = 0;

  add(path: string, sentence: string): void {
    if (this.#sentences.length < shown) this.#sentences.push(path === '' ? sentence : `${path}: ${sentence}`);
    else this.#more++;
  }

  get any(): boolean {
    return this.#sentences.length > 0;
  }

  list(): string[] {
    return this.#more === 0 ? [...this.#sentences] : [...this.#sentences, `and ${this.#more} more`];
  }
}
