const intervalMs = 100;

export interface ThrottledEmitter<Subject> {
  emit(subject: Subject): void;
  on(listener: (subjects: ReadonlySet<Subject>) => void): () => void;
  /** Tells now what would be told soon. */
  flush(): void;
  /** Nobody is told any more. */
  close(): void;
}

/** The first change at once, and many that follow as one: after a rest, which may depend on how long telling took. */
export function createThrottledEmitter<Subject = void>(
  pauseAfter = (_tookMs: number) => intervalMs,
): ThrottledEmitter<Subject> {
  const listeners = new Set<(subjects: ReadonlySet<Subject>) => void>();
  let subjects = new Set<Subject>();
  let timer: NodeJS.Timeout | undefined;
  let pauseUntil = Number.NEGATIVE_INFINITY;
  const flush = (): void => {
    clearTimeout(timer);
    if (timer === undefined) return;
    timer = undefined;
    const began = performance.now();
    const told = subjects;
    subjects = new Set();
    for (const listener of [...listeners]) listener(told);
    const now = performance.now();
    pauseUntil = now + pauseAfter(now - began);
  };
  return {
    emit: (subject) => {
      subjects.add(subject);
      timer ??= setTimeout(flush, Math.max(0, pauseUntil - performance.now()));
    },
    on: (listener) => {
      const entry = (told: ReadonlySet<Subject>): void => listener(told);
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    flush,
    close() {
      clearTimeout(timer);
      listeners.clear();
    },
  };
}
