import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Fetches what is on the screen anew. A request that is on its way may have been answered before the change that this
 * call is about: it is awaited, and asked once more.
 */
export async function refetchAfterChange(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const inFlight = new Set(client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }));
  await client.invalidateQueries({ queryKey }, { cancelRefetch: false });
  if (inFlight.size === 0) return;
  await client.invalidateQueries({ queryKey, predicate: (query) => inFlight.has(query) }, { cancelRefetch: false });
}

/**
 * Runs it when asked, and once more when it was asked meanwhile, never twice at once: a slow platform is not asked again
 * before it has answered, and the last change is always seen.
 */
export function coalesced(act: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await act();
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}

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
