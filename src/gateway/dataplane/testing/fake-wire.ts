// A wire without a network, for tests of what a worker does with a client: nothing happens that the test does not do.
import { type Sink, silentSink, type Wire } from '../../../net/wire/index.ts';

export class FakeWire implements Wire {
  readonly remote = { address: '192.0.2.1', port: 40_000 };
  readonly local = { address: '192.0.2.2', port: 443 };
  isPaused = false;
  isOver = false;
  #sink = silentSink;

  /** The client sends this. */
  receive(bytes: Buffer): void {
    this.#sink.data(bytes, 0);
  }

  read(sink: Sink): void {
    this.#sink = sink;
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  release(): void {}
  write(): boolean {
    return true;
  }
  end(): void {}
  destroy(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#sink.closed();
  }
  toSocket(): never {
    throw new Error('there is no socket behind it');
  }
}
