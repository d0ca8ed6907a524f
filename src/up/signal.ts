// "Something has changed": told at most every so often, and never lost. Where telling takes long, because there is much to
// look at, it is told less often.

export interface Signal {
  raise(): void;
  on(listener: () => void): () => void;
  close(): void;
}

/** Of the time, at most one part in so many goes into telling. */
const share = 8;
const longestMs = 2000;

export function createSignal(everyMs = 100): Signal {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let restMs = everyMs;
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = (): void => {
    timer = undefined;
    const began = performance.now();
    for (const listener of [...listeners]) listener();
    toldAt = performance.now();
    restMs = Math.min(Math.max(everyMs, (toldAt - began) * share), longestMs);
  };
  return {
    raise() {
      timer ??= setTimeout(tell, Math.max(0, toldAt + restMs - performance.now()));
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      clearTimeout(timer);
      listeners.clear();
    },
  };
}
