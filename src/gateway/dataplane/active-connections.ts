// The active connections of one worker, and the sweep that ends those whose time is over. One timer for all of them.

import type { ListenerKind } from '../engine.ts';
import type { Service } from '../snapshot/snapshot.ts';
import type { Connection, ConnectionState } from './connection.ts';

/** One connection as the admin address shows it. */
export interface ConnectionView {
  readonly id: number;
  readonly cluster: string;
  readonly service: Service;
  readonly listener: ListenerKind;
  /** Server name or authority that was asked for. */
  readonly name: string;
  readonly state: ConnectionState;
  readonly client: string;
  readonly backend: string;
  /** Bytes from client to backend. */
  readonly sent: number;
  /** Bytes from backend to client. */
  readonly received: number;
  readonly ageMs: number;
  /** How long nothing came through, as far as the sweep has seen. */
  readonly quietMs: number;
}

export class ActiveConnections {
  readonly #all: Connection[] = [];

  get size(): number {
    return this.#all.length;
  }
  get all(): readonly Connection[] {
    return this.#all;
  }

  add(connection: Connection): void {
    connection.index = this.#all.length;
    this.#all.push(connection);
  }

  /** The last one takes its place. */
  remove(connection: Connection): void {
    const last = this.#all.pop();
    if (last === undefined || last === connection) return;
    this.#all[connection.index] = last;
    last.index = connection.index;
  }

  /** From behind, because those that end are taken out on the way. */
  sweep(now: number, longestDialMs: number): void {
    for (let i = this.#all.length - 1; i >= 0; i--) {
      const connection = this.#all[i];
      if (connection !== undefined && isOver(connection, now, longestDialMs)) connection.destroy();
    }
  }

  destroyAll(): void {
    for (const connection of [...this.#all]) connection.destroy('draining');
  }
}

function isOver(connection: Connection, now: number, longestDialMs: number): boolean {
  if (connection.endsAt !== 0 && connection.endsAt <= now) return true;
  if (connection.state === 'dialing') return now - connection.openedAt > longestDialMs;
  const bytes = connection.sent + connection.received;
  if (bytes !== connection.seenBytes) {
    connection.seenBytes = bytes;
    connection.quietSince = now;
    return false;
  }
  const { idleTimeoutMs } = connection.cluster.entry;
  return idleTimeoutMs > 0 && now - connection.quietSince > idleTimeoutMs;
}
