// Keeps a store as the API server has a collection: reads it whole, then follows its changes from there. A connection that
// breaks goes on at the version that was reached; where the server has compacted that version, the collection is read
// again, and the store finds out what was deleted meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { CausewayError } from '../core/errors.ts';
import { type Backoff, createBackoff } from '../sys/backoff.ts';
import { type KubeClient, pageSize } from './client.ts';
import { KubeError } from './errors.ts';
import { compareVersions, keyOf, type Store, type Stored } from './store.ts';
import { silentCode, type WatchEvent } from './watch.ts';

export interface ReflectorOptions<Item extends Stored> {
  readonly client: Pick<KubeClient, 'get' | 'watch'>;
  /** Of the collection; may have a query with selectors. */
  readonly path: string;
  readonly store: Store<Item>;
  /** What is kept of an object. managedFields are left out in any case. */
  readonly transform?: (object: Item) => Item;
  /** It cannot be read now, and is tried again. */
  failed?(error: Error): void;
  /** The server answers again. The store may have nothing to tell: what broke goes on where it was. */
  recovered?(): void;
  readonly timing?: Partial<Timing>;
  readonly random?: () => number;
}

export interface Timing {
  /** Pauses between attempts. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A watch without a byte for so long has lost its connection. */
  readonly silenceMs: number;
  /** How soon a server answers that sends the initial events. */
  readonly firstByteMs: number;
  /** The server ends each watch after a time between this one and twice as long. */
  readonly watchSeconds: number;
}

const defaults: Timing = {
  firstPauseMs: 200,
  longestPauseMs: 30_000,
  silenceMs: 150_000,
  firstByteMs: 30_000,
  watchSeconds: 300,
};

/** After a watch that the server ended sooner there is a pause: otherwise it would be opened again and again. */
const shortWatchMs = 1_000;
/** After a watch of this length the next pause is the first one again. */
const steadyMs = 10_000;

export class Reflector<Item extends Stored> {
  readonly #options: ReflectorOptions<Item>;
  readonly #timing: Timing;
  readonly #backoff: Backoff;
  readonly #random: () => number;
  readonly #synced = Promise.withResolvers<void>();
  #hasSynced = false;
  /** To go on from; undefined: read the collection. */
  #version: string | undefined;
  /** Whether the server can send the collection as initial events of a watch. */
  #watchList: 'yes' | 'no' | 'not now' = 'yes';
  /** Watches without any event that ended in silence, one after the other. */
  #silent = 0;
  #failing = false;

  constructor(options: ReflectorOptions<Item>) {
    this.#options = options;
    this.#timing = { ...defaults, ...options.timing };
    this.#random = options.random ?? Math.random;
    this.#backoff = createBackoff(this.#timing.firstPauseMs, this.#timing.longestPauseMs, this.#random);
  }

  /** Whether the collection was read once. The store never becomes empty again by an outage. */
  hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Resolves when the collection was read for the first time. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Until the signal comes. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const started = performance.now();
      const error = await this.#once(signal).then(
        () => undefined,
        (caught: Error) => caught,
      );
      const pause = this.#pauseAfter(error, performance.now() - started, signal);
      if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  #pauseAfter(error: Error | undefined, livedMs: number, signal: AbortSignal): number {
    if (livedMs >= steadyMs) this.#backoff.reset();
    if (signal.aborted) return 0;
    if (error === undefined) return livedMs < shortWatchMs ? this.#backoff.next() : 0;
    const asked = error instanceof KubeError ? error.retryAfterMs : 0;
    // The server answers: that it has no history of our version is nothing that anybody has to know.
    if (!isExpired(error)) this.#fail(error);
    return Math.max(this.#backoff.next(), asked);
  }

  #fail(error: Error): void {
    this.#failing = true;
    this.#options.failed?.(error);
  }

  /** One watch, and before it the collection where that is needed. Resolves when the server has ended the watch. */
  async #once(signal: AbortSignal): Promise<void> {
    if (this.#version !== undefined) return this.#watch(this.#version, signal);
    if (this.#watchList === 'yes') return this.#watchWithInitialEvents(signal);
    if (this.#watchList === 'not now') this.#watchList = 'yes';
    const { items, version } = await this.#listPages(signal);
    if (signal.aborted) return;
    this.#replace(items, version);
    return this.#watch(version, signal);
  }

  async #watch(version: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#open({ resourceVersion: version }, (event) => this.#take(event), signal, this.#timing.silenceMs);
    } catch (error) {
      const isSilent = error instanceof CausewayError && error.code === silentCode && this.#version === version;
      this.#silent = isSilent ? this.#silent + 1 : 0;
      // The server may wait for a version that it will not reach soon, because its store was restored.
      if (isExpired(error) || this.#silent >= 2) this.#forget();
      throw error;
    }
    this.#silent = 0;
  }

  /** WatchList: the server sends the collection as events, says where it ends, and goes on with changes. */
  async #watchWithInitialEvents(signal: AbortSignal): Promise<void> {
    const initial = new Map<string, Item>();
    const query = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' };
    let isUnknown = false;
    const take = (event: WatchEvent): void => {
      if (this.#version !== undefined) this.#take(event);
      else if (event.type !== 'BOOKMARK') collect(initial, this.#kept(event), event.type);
      else end(event.object.metadata);
    };
    const end = ({ annotations, resourceVersion }: WatchEvent['object']['metadata']): void => {
      isUnknown = annotations?.['k8s.io/initial-events-end'] !== 'true';
      // A server that does not know the parameter never says where the collection ends.
      if (isUnknown) throw incomplete();
      this.#replace(initial.values(), resourceVersion);
      initial.clear();
    };
    try {
      await this.#open(query, take, signal, this.#timing.firstByteMs);
      if (this.#version === undefined) throw incomplete();
    } catch (error) {
      if (isExpired(error)) this.#forget();
      if (this.#version !== undefined) throw error;
      // What broke is read by pages the next time, and what the server does not know every time.
      this.#watchList = isUnknown || isUnsupported(error) ? 'no' : 'not now';
      if (this.#watchList === 'not now' || signal.aborted) throw error;
      await this.#once(signal);
    }
  }

  #open(
    query: Readonly<Record<string, string>>,
    event: (event: WatchEvent) => void,
    signal: AbortSignal,
    firstByteMs: number,
  ): Promise<void> {
    const { client, path } = this.#options;
    const { watchSeconds, silenceMs } = this.#timing;
    const timeoutSeconds = String(Math.ceil(watchSeconds * (1 + this.#random())));
    const watch = { watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds, ...query };
    // Without a version the collection comes first.
    const opened = (): void => {
      if (this.#version !== undefined) this.#recover();
    };
    return client.watch(withQuery(path, watch), { opened, event, signal, silenceMs, firstByteMs });
  }

  #recover(): void {
    if (this.#failing) this.#options.recovered?.();
    this.#failing = false;
  }

  #take(event: WatchEvent): void {
    const { store } = this.#options;
    const { resourceVersion } = event.object.metadata;
    // A store that was restored counts from an earlier version: nothing that we have can be compared with it.
    if (compareVersions(resourceVersion, this.#version ?? '') < 0) throw new KubeError(410, wentBack(resourceVersion));
    if (event.type === 'BOOKMARK') store.bookmark(resourceVersion);
    else if (event.type === 'DELETED') store.remove(event.object as Item, resourceVersion);
    else store.put(this.#kept(event), resourceVersion);
    this.#version = resourceVersion;
  }

  #replace(items: Iterable<Item>, version: string): void {
    this.#options.store.replace(items, version);
    this.#version = version;
    this.#hasSynced = true;
    this.#synced.resolve();
    this.#recover();
  }

  #forget(): void {
    this.#version = undefined;
    this.#silent = 0;
  }

  async #listPages(signal: AbortSignal): Promise<{ items: Item[]; version: string }> {
    try {
      return await this.#list(signal, pageSize);
    } catch (error) {
      if (!isExpired(error)) throw error;
      // Compacted between two pages: all at once cannot be.
      return this.#list(signal);
    }
  }

  async #list(signal: AbortSignal, limit?: number): Promise<{ items: Item[]; version: string }> {
    const items: Item[] = [];
    for (let token = ''; ; ) {
      const query = { ...(limit && { limit: String(limit) }), ...(token && { continue: token }) };
      const page = await this.#options.client.get<Page<Item>>(withQuery(this.#options.path, query), signal);
      if (page === undefined) throw new KubeError(404, `there is no ${this.#options.path}`);
      for (const object of page.items) items.push(this.#keep(object));
      token = page.metadata.continue ?? '';
      if (token === '') return { items, version: page.metadata.resourceVersion };
    }
  }

  #kept({ object }: WatchEvent): Item {
    return this.#keep(object as unknown as Item);
  }

  /** Deleted after parsing: a reviver is several times slower. */
  #keep(object: Item): Item {
    delete (object.metadata as { managedFields?: unknown }).managedFields;
    return this.#options.transform?.(object) ?? object;
  }
}

interface Page<Item> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly Item[];
}

const incomplete = (): KubeError =>
  new KubeError(500, 'the API server has ended a watch before the end of its initial events');

const isUnsupported = (error: unknown): boolean =>
  error instanceof KubeError && [400, 404, 405, 406, 422].includes(error.status);

function collect<Item extends Stored>(into: Map<string, Item>, item: Item, type: WatchEvent['type']): void {
  if (type === 'DELETED') into.delete(keyOf(item));
  else into.set(keyOf(item), item);
}

/** Also for a version that the server has not reached: 504, with its reason in the words only. */
const isExpired = (error: unknown): boolean =>
  error instanceof KubeError && (error.status === 410 || /too large resource version/i.test(error.message));

const wentBack = (version: string): string => `the API server has gone back to version ${version}`;

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}
