// What the platform says about itself: into the history, to whoever listens, and to the log.
import type { Log } from '../../net/log.ts';
import type { PlatformEvent } from '../view.ts';
import type { History, NewEvent } from './history.ts';

export interface Diary {
  record(event: NewEvent): void;
  onEvent(listener: (event: PlatformEvent) => void): () => void;
  read: History['read'];
  close(): void;
}

export function openDiary(history: History, log: Log): Diary {
  const listeners = new Set<(event: PlatformEvent) => void>();
  let closed = false;
  return {
    record(event) {
      log[event.level](event.message, { subject: event.subject });
      const added = closed ? undefined : kept(history, event, log);
      if (added !== undefined) for (const listener of [...listeners]) listener(added);
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    // Somebody who still listens when the platform ends learns nothing new.
    read: (options) => (closed ? [] : history.read(options)),
    close() {
      closed = true;
      listeners.clear();
      history.close();
    },
  };
}

/** A full disk is no reason to end what runs. */
function kept(history: History, event: NewEvent, log: Log): PlatformEvent | undefined {
  try {
    return history.add(event);
  } catch (error) {
    log.warn('the history cannot be written', { why: (error as Error).message });
    return undefined;
  }
}
