// The platform says when something changed; what is on the screen is then asked anew.

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { keys } from './queries.ts';
import { coalesced, createTimers, refetchAfterChange } from './refresh.ts';
import { follow } from './server-sent-events.ts';

export type Connection = 'connecting' | 'live' | 'lost';

const ConnectionContext = createContext<Connection>('connecting');
export const useConnection = (): Connection => useContext(ConnectionContext);

/** Changes come in bursts, of which the page shows the end. */
const quietMs = 300;
/** A restart of the platform takes a moment and is not worth a banner. */
const lostAfterMs = 3_000;

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => listen(client, setConnection), [client]);
  return <ConnectionContext value={connection}>{children}</ConnectionContext>;
}

function listen(client: QueryClient, tell: (connection: Connection) => void): () => void {
  const timers = createTimers<'lost' | 'change'>();
  const renew = (queryKey: readonly string[]) => coalesced(() => refetchAfterChange(client, queryKey));
  const [renewAll, renewView, renewEvents] = [renew([]), renew(keys.view), renew(keys.events)];
  const stop = follow(
    '/events/stream',
    {},
    {
      onOpen: () => {
        timers.cancel('lost');
        tell('live');
        // What happened while nobody listened.
        renewAll();
      },
      onEvent: ({ name }) => {
        if (name === 'change') timers.start('change', quietMs, renewView);
        else renewEvents();
      },
      onBreak: (error) => {
        // Signed out in another tab, or by somebody else: asking who one is leads to the login.
        if (error?.status === 401) void client.refetchQueries({ queryKey: keys.whoami });
        timers.start('lost', lostAfterMs, () => tell('lost'));
      },
    },
  );
  return () => {
    stop();
    timers.cancelAll();
  };
}
