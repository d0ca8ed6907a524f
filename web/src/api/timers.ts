export interface Timers<Name extends string> {
  /** Acts after a while; where one of this name runs already, that one counts. */
  start(name: Name, ms: number, act: () => void): void;
  cancel(name: Name): void;
  cancelAll(): void;
}

export function createTimers<Name extends string>(): Timers<Name> {
  const running = new Map<Name, ReturnType<typeof setTimeout>>();
  const cancel = (name: Name): void => {
    clearTimeout(running.get(name));
    running.delete(name);
  };
  return {
    cancel,
    cancelAll: () => [...running.keys()].forEach(cancel),
    start(name, ms, act) {
      if (running.has(name)) return;
      const timer = setTimeout(() => {
        running.delete(name);
        act();
      }, ms);
      running.set(name, timer);
    },
  };
}
