// A collection without an API server, for tests of what is done with it: its objects first, then what the test tells.
import type { KubeClient } from '../client.ts';
import type { Stored } from '../store.ts';
import type { WatchEvent } from '../watch.ts';

export interface FakeCollection {
  /** Of a client. Stays open until its signal comes. */
  readonly watch: KubeClient['watch'];
  /** Told when there is a watch. */
  tell(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Stored): void;
}

export function fakeCollection(objects: readonly Stored[], refusal?: Error): FakeCollection {
  const watching = Promise.withResolvers<(event: WatchEvent) => void>();
  let version = 1;
  const eventOf = (type: WatchEvent['type'], object: Partial<Stored>, more: object = {}): WatchEvent => {
    const metadata = { ...object.metadata, ...more, resourceVersion: String(version++) };
    return { type, object: { ...object, metadata } };
  };
  return {
    async watch(_path, { opened, event, signal }) {
      // Later, as an answer comes.
      await null;
      if (refusal !== undefined) throw refusal;
      opened?.();
      for (const object of objects) event(eventOf('ADDED', object));
      event(eventOf('BOOKMARK', {}, { annotations: { 'k8s.io/initial-events-end': 'true' } }));
      watching.resolve(event);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    tell: (type, object) => void watching.promise.then((take) => take(eventOf(type, object))),
  };
}
