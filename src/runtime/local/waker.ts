/** Sleeps until something happens, or until it is time. What happens between two sleeps is not missed. */
export class Waker {
  readonly #sleepers = new Set<() => void>();
  #missed = false;

  wake(): void {
    this.#missed = this.#sleepers.size === 0;
    for (const rise of this.#sleepers) rise();
  }

  sleep(ms: number): Promise<void> {
    if (this.#missed) {
      this.#missed = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const rise = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(rise);
        resolve();
      };
      const timer = setTimeout(rise, ms);
      this.#sleepers.add(rise);
    });
  }
}
