// The listeners of one worker. Their sockets belong to the supervisor: closing them here ends only our accepting.
import { acceptOn, type Listener, listen } from '../../net/wire/listen.ts';
import type { NativeListener } from '../../net/wire/native.ts';
import type { Wire } from '../../net/wire/wire.ts';
import type { Listening } from '../engine.ts';

export class WorkerListeners {
  readonly #open = new Map<string, Listener[]>();
  readonly #accept: (listening: Listening, wire: Wire) => void;

  constructor(accept: (listening: Listening, wire: Wire) => void) {
    this.#accept = accept;
  }

  async open(key: string, listening: Listening, handle: NativeListener | undefined): Promise<void> {
    const onWire = (wire: Wire): void => this.#accept(listening, wire);
    const listener =
      handle === undefined
        ? await listen(listening.address, listening.port, onWire, { reusePort: true })
        : acceptOn(handle, onWire);
    this.#open.set(key, [...(this.#open.get(key) ?? []), listener]);
  }

  close(keys: readonly string[]): void {
    for (const key of keys) {
      for (const listener of this.#open.get(key) ?? []) listener.close();
      this.#open.delete(key);
    }
  }

  closeAll(): void {
    this.close([...this.#open.keys()]);
  }
}
