// The platform says when something changed; what is on the screen is then asked anew.

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { apiUrl } from './client.ts';
import { keys } from './queries.ts';
import { coalesced, createTimers, refetchAfterChange } from './refresh.ts';

export type Connection = 'connecting' | 'live' | 'lost';

const ConnectionContext = createContext<Connection>('connecting');
export const useConnection = (): Connection => useContext(ConnectionContext);

/** Changes come in bursts, of which the page shows the end. */
const quietMs = 300;
const againMs = 2_000;
/** A restart of the platform takes a moment and is not worth a banner. */
const lostAfterMs = 3_000;

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => listen(client, setConnection), [client]);
  return <ConnectionContext value={connection}>{children}</ConnectionContext>;
}

function listen(client: QueryClient, tell: (connection: Connection) => void): () => void {
  const timers = createTimers<'again' | 'lost' | 'change'>();
  const renew = (queryKey: readonly string[]) => coalesced(() => refetchAfterChange(client, queryKey));
  const [renewAll, renewView, renewEvents] = [renew([]), renew(keys.view), renew(keys.events)];
  let stream: EventSource;
  const connect = (): void => {
    stream = new EventSource(apiUrl('/events/stream'));
    stream.addEventListener('open', () => {
      timers.cancel('lost');
      tell('live');
      // What happened while nobody listened.
      renewAll();
    });
    stream.addEventListener('change', () => timers.start('change', quietMs, renewView));
    stream.addEventListener('event', renewEvents);
    stream.addEventListener('error', () => {
      timers.start('lost', lostAfterMs, () => tell('lost'));
      // After a refusal the browser gives up for good; after a broken connection it tries again by itself.
      if (stream.readyState === EventSource.CLOSED) timers.start('again', againMs, connect);
    });
  };
  connect();
  return () => {
    stream.close();
    timers.cancelAll();
  };
}
