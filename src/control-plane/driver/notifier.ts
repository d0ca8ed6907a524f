const intervalMs = 100;

export interface Notifier {
  notify(): void;
  listen(listener: () => void): () => void;
  /** Tells now what would be told soon. */
  flush(): void;
}

/** Tells of many changes at once. */
export function createNotifier(): Notifier {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    if (timer === undefined) return;
    timer = undefined;
    for (const listener of [...listeners]) listener();
  };
  return {
    notify: () => {
      timer ??= setTimeout(flush, intervalMs);
    },
    listen: (listener) => {
      const entry = (): void => listener();
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    flush,
  };
}
