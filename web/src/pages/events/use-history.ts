import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import type { ApiEvent, Events } from '../../api/types.ts';
import { beforeThese, merged } from './history.ts';

const atOnce = 200;

export interface EventHistory {
  /** Oldest first. Renewed when the platform says that something happened. */
  readonly query: UseQueryResult<readonly ApiEvent[]>;
  /** Undefined where the first event is here already. */
  readonly loadOlder: (() => Promise<void>) | undefined;
}

export function useHistory(): EventHistory {
  const client = useQueryClient();
  const [isWhole, setWhole] = useState(false);
  const known = (): readonly ApiEvent[] => client.getQueryData<readonly ApiEvent[]>(keys.events) ?? [];
  const query = useQuery({ queryKey: keys.events, queryFn: () => withNews(known()) });
  const after = beforeThese(query.data ?? [], atOnce);
  const loadOlder = async (): Promise<void> => {
    const { items } = await get<Events>('/events', { after, limit: atOnce });
    // Old events are forgotten one day: then nothing comes before the first, however high its number.
    if ((items[0]?.id ?? 0) >= (known()[0]?.id ?? 0)) setWhole(true);
    client.setQueryData(keys.events, merged(known(), items));
  };
  return { query, loadOlder: after === undefined || isWhole ? undefined : loadOlder };
}

/** At first the newest events, then only what came after them. */
async function withNews(known: readonly ApiEvent[]): Promise<readonly ApiEvent[]> {
  const { items } = await get<Events>('/events', { after: known.at(-1)?.id, limit: atOnce });
  const all = merged(known, items);
  return known.length > 0 && items.length === atOnce ? withNews(all) : all;
}
