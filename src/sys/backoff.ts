// Exponential backoff with jitter: twice as long each time, and never all at the same moment.

export interface Backoff {
  /** Milliseconds until the next attempt. */
  next(): number;
  reset(): void;
}

/** Doubles with each attempt that failed before, up to a limit. Without jitter. */
export const exponentialMs = (firstMs: number, mostMs: number, failures: number): number =>
  Math.min(firstMs * 2 ** failures, mostMs);

/** Between half of the pause and the whole. */
export function createBackoff(firstMs: number, mostMs: number, random: () => number = Math.random): Backoff {
  let failures = 0;
  return {
    next: () => exponentialMs(firstMs, mostMs, failures++) * (0.5 + random() / 2),
    reset: () => {
      failures = 0;
    },
  };
}
