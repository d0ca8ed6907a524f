// Objects of one collection as the API server has them: by key, by index, and as a sequence of changes for handlers.
// A reflector writes it, everybody else reads.

import { getOrAdd } from '../core/collections.ts';
import { CausewayError, exitCodes } from '../core/errors.ts';

/** What every object of the API has. */
export interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** The values under which an object is found. */
export type IndexFunction<Item> = (item: Item) => readonly string[];

/** Handlers are synchronous and short: whoever has work to do puts the key into a queue. */
export interface StoreHandler<Item> {
  /** `initial`: it was there when the list was read. */
  added?(item: Item, initial: boolean): void;
  updated?(item: Item, before: Item): void;
  /** As it was last seen. */
  deleted?(item: Item): void;
  /** After each event, and once after a whole list. */
  changed?(): void;
}

export interface StoreOptions<Item> {
  readonly indexes?: Readonly<Record<string, IndexFunction<Item>>>;
  /** A handler threw. The store is as it should be, and the other handlers were told. */
  handlerFailed?(error: Error): void;
}

export const keyOf = ({ metadata: { namespace, name } }: Stored): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

export const byNamespace: IndexFunction<Stored> = ({ metadata }) => [metadata.namespace ?? ''];

export const byLabel =
  (label: string): IndexFunction<Stored> =>
  ({ metadata }) => {
    const value = metadata.labels?.[label];
    return value === undefined ? [] : [value];
  };

/** Within one collection versions are decimal numbers that only grow; they may be larger than what a number holds. */
export const compareVersions = (a: string, b: string): number =>
  a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length;

interface Waiter {
  readonly version: string;
  resolve(): void;
}

export class Store<Item extends Stored> {
  readonly #items = new Map<string, Item>();
  readonly #indexes: ReadonlyMap<string, Index<Item>>;
  readonly #handlers = new Set<StoreHandler<Item>>();
  readonly #waiters = new Set<Waiter>();
  readonly #handlerFailed: (error: Error) => void;
  #version: string | undefined;

  constructor({ indexes = {}, handlerFailed = throwLater }: StoreOptions<Item> = {}) {
    this.#indexes = new Map(Object.entries(indexes).map(([name, values]) => [name, new Index(values)]));
    this.#handlerFailed = handlerFailed;
  }

  /** Of the server's state that it shows; undefined before the first list. */
  get version(): string | undefined {
    return this.#version;
  }

  get size(): number {
    return this.#items.size;
  }

  /** @param key `name`, or `namespace/name` */
  get(key: string): Item | undefined {
    return this.#items.get(key);
  }

  list(): Item[] {
    return [...this.#items.values()];
  }

  byIndex(name: string, value: string): Item[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`the store has no index ${name}`);
    return index.find(value);
  }

  /** What is there already is told first, as added. Returns what ends it. */
  handle(handler: StoreHandler<Item>): () => void {
    this.#handlers.add(handler);
    for (const item of this.#items.values()) this.#tell([handler], (one) => one.added?.(item, true));
    if (this.#version !== undefined) this.#tell([handler], (one) => one.changed?.());
    return () => void this.#handlers.delete(handler);
  }

  /**
   * Read your writes: resolves when the store shows this version or a later one. The version is that of an object of this
   * collection that the store's selectors select; others are seen with the next bookmark.
   */
  async waitFor(version: string, { timeoutMs = 30_000 }: { readonly timeoutMs?: number } = {}): Promise<void> {
    if (this.#hasSeen(version)) return;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiter = { version, resolve: () => resolve(true) };
    const timer = setTimeout(() => resolve(false), timeoutMs);
    this.#waiters.add(waiter);
    const seen = await promise;
    clearTimeout(timer);
    this.#waiters.delete(waiter);
    if (!seen) throw notSeen(version, this.#version, timeoutMs);
  }

  // For the reflector.

  /** An object as it is now. */
  put(item: Item, version: string): void {
    this.#put(item, false);
    this.#advance(version);
    this.#tellAll((handler) => handler.changed?.());
  }

  remove(item: Stored, version: string): void {
    this.#remove(keyOf(item));
    this.#advance(version);
    this.#tellAll((handler) => handler.changed?.());
  }

  /** Nothing has changed up to this version. */
  bookmark(version: string): void {
    this.#advance(version);
  }

  /** The whole collection: what is not in it is deleted, and what is as it was is not told again. */
  replace(items: Iterable<Item>, version: string): void {
    const now = new Map(Array.from(items, (item) => [keyOf(item), item]));
    for (const key of [...this.#items.keys()]) if (!now.has(key)) this.#remove(key);
    for (const item of now.values()) this.#put(item, true);
    this.#advance(version);
    this.#tellAll((handler) => handler.changed?.());
  }

  #put(item: Item, initial: boolean): void {
    const key = keyOf(item);
    // Deleted and made again while nobody looked: another object.
    if (this.#items.get(key)?.metadata.uid !== item.metadata.uid) this.#remove(key);
    const before = this.#items.get(key);
    if (before !== undefined && isSame(before, item)) return;
    this.#items.set(key, item);
    for (const index of this.#indexes.values()) index.put(key, item, before);
    this.#tellAll((handler) => {
      if (before === undefined) handler.added?.(item, initial);
      else handler.updated?.(item, before);
    });
  }

  #remove(key: string): void {
    const before = this.#items.get(key);
    if (before === undefined) return;
    this.#items.delete(key);
    for (const index of this.#indexes.values()) index.remove(key, before);
    this.#tellAll((handler) => handler.deleted?.(before));
  }

  #advance(version: string): void {
    this.#version = version;
    for (const waiter of this.#waiters) if (this.#hasSeen(waiter.version)) waiter.resolve();
  }

  #hasSeen(version: string): boolean {
    return this.#version !== undefined && compareVersions(this.#version, version) >= 0;
  }

  #tellAll(tell: (handler: StoreHandler<Item>) => void): void {
    this.#tell(this.#handlers, tell);
  }

  #tell(handlers: Iterable<StoreHandler<Item>>, tell: (handler: StoreHandler<Item>) => void): void {
    for (const handler of handlers)
      try {
        tell(handler);
      } catch (error) {
        this.#handlerFailed(error as Error);
      }
  }
}

const isSame = ({ metadata: a }: Stored, { metadata: b }: Stored): boolean =>
  a.resourceVersion !== undefined && a.resourceVersion === b.resourceVersion;

/** A mistake in a handler is a bug, and shown as one. */
function throwLater(error: Error): void {
  process.nextTick(() => {
    throw error;
  });
}

const notSeen = (version: string, shown: string | undefined, timeoutMs: number): CausewayError =>
  new CausewayError(
    'CW-KUBE-STALE',
    `the store has not reached version ${version} within ${timeoutMs} ms: it shows ${shown ?? 'nothing yet'}`,
    'look why the watch does not go on: causeway status shows what it met',
    exitCodes.internal,
  );

class Index<Item> {
  readonly #valuesOf: IndexFunction<Item>;
  readonly #keys = new Map<string, Map<string, Item>>();

  constructor(valuesOf: IndexFunction<Item>) {
    this.#valuesOf = valuesOf;
  }

  find(value: string): Item[] {
    return [...(this.#keys.get(value)?.values() ?? [])];
  }

  put(key: string, item: Item, before: Item | undefined): void {
    if (before !== undefined) this.remove(key, before);
    for (const value of this.#valuesOf(item)) getOrAdd(this.#keys, value, () => new Map()).set(key, item);
  }

  remove(key: string, item: Item): void {
    for (const value of this.#valuesOf(item)) {
      const items = this.#keys.get(value);
      items?.delete(key);
      if (items?.size === 0) this.#keys.delete(value);
    }
  }
}
