const intervalMs = 100;

export interface Notifier {
  notify(): void;
  listen(listener: () => void): () => void;
  /** Tells now what would be told soon. */
  flush(): void;
}

/** The first change at once, and many that follow as one. */
export function createNotifier(): Notifier {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  const flush = (): void => {
    clearTimeout(timer);
    if (timer === undefined) return;
    timer = undefined;
    toldAt = performance.now();
    for (const listener of [...listeners]) listener();
  };
  return {
    notify: () => {
      timer ??= setTimeout(flush, Math.max(0, toldAt + intervalMs - performance.now()));
    },
    listen: (listener) => {
      const entry = (): void => listener();
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    flush,
  };
}
