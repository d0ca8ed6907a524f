// Keeps a list as the API server has it: reads it once, then follows the changes, and begins again when the connection ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { createBackoff } from '../net/tunnel/backoff.ts';

export interface WatchChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: never;
}

/** What following takes of a client, whatever its way to the API server. */
export interface WatchClient {
  ask<Answer>(method: 'GET', path: string): Promise<Answer>;
  /** Calls for each change until the connection ends or the signal comes; rejects when it cannot be opened. */
  watch(path: string, change: (change: WatchChange) => void, signal: AbortSignal): Promise<void>;
}

export interface ApiObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

export interface Follower<Item extends ApiObject> {
  /** The whole list, after each change. */
  changed(items: readonly Item[]): void;
  /** It cannot be read now. */
  failed(error: Error): void;
}

/** The API server ends a watch after so long. One that goes on longer has died silently on the way. */
const watchSeconds = 60;
const silentMs = (watchSeconds + 15) * 1000;

export async function follow<Item extends ApiObject>(
  client: WatchClient,
  path: string,
  follower: Follower<Item>,
  signal: AbortSignal,
): Promise<void> {
  const pause = createBackoff(200, 5_000, Math.random);
  while (!signal.aborted) {
    try {
      await followOnce(client, path, follower, signal, () => pause.reset());
    } catch (error) {
      if (!signal.aborted) follower.failed(error as Error);
    }
    await sleep(pause.next(), undefined, { signal }).catch(() => {});
  }
}

interface ListAnswer<Item> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Item[];
}

async function followOnce<Item extends ApiObject>(
  client: WatchClient,
  path: string,
  follower: Follower<Item>,
  signal: AbortSignal,
  works: () => void,
): Promise<void> {
  const list = await client.ask<ListAnswer<Item>>('GET', path);
  if (signal.aborted) return;
  const items = new Map(list.items.map((item) => [item.metadata.uid, item]));
  works();
  follower.changed([...items.values()]);
  const query = `watch=true&resourceVersion=${list.metadata.resourceVersion}&timeoutSeconds=${watchSeconds}`;
  const take = ({ type, object }: WatchChange): void => {
    const item = object as Item;
    if (type === 'ERROR') throw new Error('the API server has forgotten where we were');
    if (type === 'DELETED') items.delete(item.metadata.uid);
    else items.set(item.metadata.uid, item);
    follower.changed([...items.values()]);
  };
  const over = AbortSignal.any([signal, AbortSignal.timeout(silentMs)]);
  await client.watch(`${path}${path.includes('?') ? '&' : '?'}${query}`, take, over);
}
