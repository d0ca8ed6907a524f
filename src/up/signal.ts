// "Something has changed": told at most every so often, and never lost.

export interface Signal {
  raise(): void;
  on(listener: () => void): () => void;
  close(): void;
}

export function createSignal(everyMs = 100): Signal {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    for (const listener of [...listeners]) listener();
  };
  return {
    raise() {
      timer ??= setTimeout(tell, everyMs);
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
