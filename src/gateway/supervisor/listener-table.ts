// The listening sockets. They belong to the supervisor: workers come and go, and a connection that waits to be accepted
// waits for the next one. Each listener has one socket per slot, and the kernel shares connections out between them.

import { CausewayError } from '../../core/errors.ts';
import { hostPort } from '../../core/host-port.ts';
import type { NativeListener } from '../../net/wire/native.ts';
import type { ListenerKind, Listening } from '../engine.ts';
import type { Snapshot, SnapshotRoute } from '../snapshot/snapshot.ts';
import { type Bound, bindOne, refuseTaken } from './bind.ts';

export interface OpenListener {
  readonly key: string;
  readonly listening: Listening;
  /** One per slot; more when a supervisor with more workers handed them over. */
  readonly handles: readonly (NativeListener | undefined)[];
}

/** What goes to one worker. */
export interface SlotListener {
  readonly key: string;
  readonly listening: Listening;
  readonly handles: readonly (NativeListener | undefined)[];
}

export class ListenerTable {
  readonly #open = new Map<string, OpenListener>();
  readonly #slots: number;
  readonly #maySharePorts: () => boolean;
  /** Sockets of the supervisor before this one, until the first snapshot says which are still wanted. */
  #inherited: Map<string, OpenListener>;

  /** `maySharePorts`: workers of ours may be there that no supervisor knows. */
  constructor(slots: number, inherited: readonly OpenListener[] = [], maySharePorts: () => boolean = () => false) {
    this.#slots = slots;
    this.#maySharePorts = maySharePorts;
    this.#inherited = new Map(inherited.map((listener) => [listener.key, listener]));
  }

  listening(): Listening[] {
    return [...this.#open.values()].map(({ listening }) => listening);
  }

  all(): OpenListener[] {
    return [...this.#open.values()];
  }

  ofSlot(slot: number, listeners: Iterable<OpenListener> = this.#open.values()): SlotListener[] {
    return Array.from(listeners, ({ key, listening, handles }) => ({
      key,
      listening,
      handles: handles.filter((_, at) => at % this.#slots === slot),
    }));
  }

  /** Binds what is not there yet, all of it or nothing. It counts only after `adopt`. */
  async bindMissing(wanted: ReadonlyMap<string, DesiredListener>): Promise<OpenListener[]> {
    const added: OpenListener[] = [];
    try {
      for (const [key, listener] of wanted)
        if (!this.#open.has(key)) added.push(await this.#bind(listener, this.#inherited.get(key)));
    } catch (error) {
      this.discard(added);
      throw error;
    }
    return added;
  }

  adopt(added: readonly OpenListener[]): void {
    for (const listener of added) {
      this.#open.set(listener.key, listener);
      this.#inherited.delete(listener.key);
    }
  }

  /** Inherited sockets stay: the process that gave them may go on with them. */
  discard(added: readonly OpenListener[]): void {
    for (const { key, handles } of added) closeAll(handles.slice(this.#inherited.get(key)?.handles.length ?? 0));
  }

  /** Forgets and closes what is not wanted any more, and returns its keys. */
  dropOthers(wanted: ReadonlyMap<string, DesiredListener>): string[] {
    const gone = [...this.#open.keys()].filter((key) => !wanted.has(key));
    for (const key of gone) {
      closeAll(this.#open.get(key)?.handles ?? []);
      this.#open.delete(key);
    }
    for (const { handles } of this.#inherited.values()) closeAll(handles);
    this.#inherited = new Map();
    return gone;
  }

  closeAll(): void {
    this.dropOthers(new Map());
  }

  /** As many as there are slots, beginning with those that are there already. */
  async #bind(listener: DesiredListener, inherited: OpenListener | undefined): Promise<OpenListener> {
    if (inherited === undefined) await this.#refuseForeign(listener);
    const { handles: before = [], listening } = inherited ?? {};
    const bound: Bound[] = [];
    // The first picks the port when any will do, the others take the same.
    let port = listening?.port ?? listener.wanted;
    try {
      while (before.length + bound.length < this.#slots) {
        bound.push(await bindOne(listener.address, port));
        port = bound[0]?.port ?? port;
      }
    } catch (error) {
      closeAll(bound.map(({ handle }) => handle));
      throw error;
    }
    const handles = [...before, ...bound.map(({ handle }) => handle)];
    return { key: listenerKey(listener), listening: { ...listener, port }, handles };
  }

  async #refuseForeign({ address, wanted }: DesiredListener): Promise<void> {
    const held = [...this.#open.values(), ...this.#inherited.values()];
    const isOurs = held.some(({ listening }) => listening.port === wanted && overlap(listening.address, address));
    if (wanted === 0 || isOurs) return;
    await refuseTaken(address, wanted).catch((error: Error) => {
      if (!this.#maySharePorts()) throw error;
    });
  }
}

const everywhere = new Set(['0.0.0.0', '::']);
const overlap = (one: string, other: string): boolean => one === other || everywhere.has(one) || everywhere.has(other);

const closeAll = (handles: readonly (NativeListener | undefined)[]): void => {
  for (const handle of handles) handle?.close();
};

// Which addresses and ports a snapshot wants to be listened on.

export interface DesiredListener {
  readonly kind: ListenerKind;
  readonly address: string;
  /** 0: any free port. */
  readonly wanted: number;
}

export const listenerKey = ({ kind, address, wanted }: DesiredListener): string => `${kind} ${address} ${wanted}`;

/** By key, so that a listener that two snapshots share is found again. */
export function desiredListeners(snapshot: Snapshot, addresses: readonly string[]): Map<string, DesiredListener> {
  const found = new Map<string, DesiredListener>();
  const add = (kind: ListenerKind, at: readonly string[], wanted: number | undefined): void => {
    if (wanted === undefined) return;
    for (const address of at) found.set(listenerKey({ kind, address, wanted }), { kind, address, wanted });
  };
  for (const kind of ['sni', 'tunnel', 'single'] as const) add(kind, addresses, snapshot.listeners[kind]);
  for (const route of routesOf(snapshot)) {
    add('nodePort', addresses, route.nodePort);
    add('address', route.addresses ?? [], route.port);
  }
  refuseSharedPorts(found.values());
  return found;
}

function* routesOf({ clusters }: Snapshot): Iterable<SnapshotRoute> {
  for (const id in clusters) {
    const cluster = clusters[id];
    if (cluster === undefined) continue;
    yield cluster.apiServer;
    yield cluster.konnectivity;
  }
}

/** The kernel would let us bind both, and then share connections out between them at random. */
function refuseSharedPorts(listeners: Iterable<DesiredListener>): void {
  const taken = new Map<string, DesiredListener>();
  for (const listener of listeners) {
    if (listener.wanted === 0) continue;
    const place = hostPort(listener.address, listener.wanted);
    const other = taken.get(place);
    if (other !== undefined)
      throw new CausewayError(
        'CW-GATEWAY-PORT-TWICE',
        `${place} is wanted twice: as ${other.kind} and as ${listener.kind} listener`,
        'give one of them another port or address in the snapshot',
      );
    taken.set(place, listener);
  }
}
