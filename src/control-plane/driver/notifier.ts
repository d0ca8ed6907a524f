const intervalMs = 100;

export interface Notifier<Subject> {
  notify(subject: Subject): void;
  listen(listener: (subjects: ReadonlySet<Subject>) => void): () => void;
  /** Tells now what would be told soon. */
  flush(): void;
}

/** The first change at once, and many that follow as one. */
export function createNotifier<Subject = void>(): Notifier<Subject> {
  const listeners = new Set<(subjects: ReadonlySet<Subject>) => void>();
  let subjects = new Set<Subject>();
  let timer: NodeJS.Timeout | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  const flush = (): void => {
    clearTimeout(timer);
    if (timer === undefined) return;
    timer = undefined;
    toldAt = performance.now();
    const told = subjects;
    subjects = new Set();
    for (const listener of [...listeners]) listener(told);
  };
  return {
    notify: (subject) => {
      subjects.add(subject);
      timer ??= setTimeout(flush, Math.max(0, toldAt + intervalMs - performance.now()));
    },
    listen: (listener) => {
      const entry = (told: ReadonlySet<Subject>): void => listener(told);
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    flush,
  };
}
