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
