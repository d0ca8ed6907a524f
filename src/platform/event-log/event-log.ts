// The event log: what the platform says about itself, kept in the store, told to whoever listens and written to the log.

import type { EventStore, NewEvent, PlatformEvent } from '../../runtime/platform-runtime.ts';
import type { Log } from '../../sys/log.ts';

export interface EventLog {
  record(event: NewEvent): void;
  onEvent(listener: (event: PlatformEvent) => void): () => void;
  read: EventStore['read'];
  close(): void;
}

export function openEventLog(store: EventStore, log: Log): EventLog {
  const listeners = new Set<(event: PlatformEvent) => void>();
  let closed = false;
  return {
    record(event) {
      log[event.level](event.message, { subject: event.subject });
      const added = closed ? undefined : kept(store, event, log);
      if (added !== undefined) for (const listener of [...listeners]) listener(added);
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    // Somebody who still listens when the platform ends learns nothing new.
    read: (options) => (closed ? [] : store.read(options)),
    close() {
      closed = true;
      listeners.clear();
      store.close();
    },
  };
}

/** A full disk is no reason to end what runs. */
function kept(store: EventStore, event: NewEvent, log: Log): PlatformEvent | undefined {
  try {
    return store.add(event);
  } catch (error) {
    log.warn('the history cannot be written', { why: (error as Error).message });
    return undefined;
  }
}
