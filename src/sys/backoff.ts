// When to try again: twice as long each time, and never all at the same moment.

export interface Backoff {
  /** Milliseconds until the next attempt. */
  next(): number;
  reset(): void;
}

/** Between half of the pause and the whole. */
export function createBackoff(firstMs: number, mostMs: number, random: () => number): Backoff {
  let pause = firstMs;
  return {
    next: () => {
      const now = pause;
      pause = Math.min(pause * 2, mostMs);
      return now * (0.5 + random() / 2);
    },
    reset: () => {
      pause = firstMs;
    },
  };
}
