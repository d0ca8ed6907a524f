// The platform says when something changed; what is on the screen is then asked anew.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { apiUrl } from './client.ts';
import { keys } from './keys.ts';

export type Connection = 'connecting' | 'live' | 'lost';

const ConnectionContext = createContext<Connection>('connecting');
export const useConnection = (): Connection => useContext(ConnectionContext);

/** Changes come in bursts, of which the page shows the end. */
const quietMs = 300;
const againMs = 2_000;
/** A restart of the platform takes a moment and is not worth a banner. */
const patienceMs = 3_000;

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => listen(client, setConnection), [client]);
  return <ConnectionContext value={connection}>{children}</ConnectionContext>;
}

function listen(client: QueryClient, tell: (connection: Connection) => void): () => void {
  const source: { current?: EventSource } = {};
  const timers: Partial<Record<'again' | 'lost' | 'change', ReturnType<typeof setTimeout>>> = {};
  const later = (name: keyof typeof timers, ms: number, act: () => void): void => {
    timers[name] ??= setTimeout(() => {
      delete timers[name];
      act();
    }, ms);
  };
  const cancel = (name: keyof typeof timers): void => {
    clearTimeout(timers[name]);
    delete timers[name];
  };
  const connect = (): void => {
    const stream = new EventSource(apiUrl('/events/stream'));
    source.current = stream;
    stream.addEventListener('open', () => {
      cancel('lost');
      tell('live');
      // What happened while nobody listened.
      void client.invalidateQueries();
    });
    stream.addEventListener('change', () => later('change', quietMs, () => void invalidateView(client)));
    stream.addEventListener('event', () => void client.invalidateQueries({ queryKey: keys.events }));
    stream.addEventListener('error', () => {
      later('lost', patienceMs, () => tell('lost'));
      // After a refusal the browser gives up for good; after a broken connection it tries again by itself.
      if (stream.readyState === EventSource.CLOSED) later('again', againMs, connect);
    });
  };
  connect();
  return () => {
    source.current?.close();
    for (const name of ['again', 'lost', 'change'] as const) cancel(name);
  };
}

const invalidateView = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: keys.view });
