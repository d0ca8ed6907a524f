// "Something has changed": told at most every so often, and never lost. Where telling takes long, because there is much to
// look at, it is told less often.
import { createThrottledEmitter } from '../sys/throttled-emitter.ts';

export interface Signal {
  raise(): void;
  on(listener: () => void): () => void;
  close(): void;
}

/** Of the time, at most one part in so many goes into telling. */
const share = 8;
const longestMs = 2000;

export function createSignal(everyMs = 100): Signal {
  const { emit, on, close } = createThrottledEmitter((tookMs) =>
    Math.min(Math.max(everyMs, tookMs * share), longestMs),
  );
  return { raise: emit, on, close };
}
