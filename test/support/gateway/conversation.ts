// One connection as a test talks over it: lines, bytes, and how it ended.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';

export type Ending = 'end' | 'broken';

const timeoutMs = 10_000;

export class Conversation {
  readonly duplex: Duplex;
  /** How it ended: closed by the other side and in order, or not. */
  readonly ended: Promise<Ending>;
  #waiting: Buffer[] = [];
  #arrived = () => {};
  #over = false;

  constructor(duplex: Duplex) {
    this.duplex = duplex;
    let orderly = false;
    duplex.on('data', (chunk: Buffer) => {
      this.#waiting.push(chunk);
      this.#arrived();
    });
    duplex.on('end', () => {
      orderly = true;
      this.#finish();
    });
    duplex.on('error', () => {});
    this.ended = new Promise((resolve) => {
      duplex.once('end', () => resolve('end'));
      duplex.once('close', () => {
        resolve(orderly ? 'end' : 'broken');
        this.#finish();
      });
    });
  }

  get isOver(): boolean {
    return this.#over;
  }

  send(bytes: string | Uint8Array): void {
    this.duplex.write(bytes);
  }

  /** Nothing more from us; reading goes on. */
  finish(bytes?: Uint8Array): void {
    this.duplex.end(bytes);
  }

  close(): void {
    this.duplex.destroy();
  }

  /** The next line, or what there was when it ended. */
  async line(): Promise<string> {
    const bytes = await this.#until((all) => all.indexOf(10) + 1);
    return bytes.toString('latin1').trimEnd();
  }

  exactly(length: number): Promise<Buffer> {
    return this.#until((all) => (all.length >= length ? length : 0));
  }

  /** Everything until the other side ends. */
  async rest(): Promise<Buffer> {
    const deadline = performance.now() + 3 * timeoutMs;
    while (!this.#over) await this.#more(deadline);
    return this.#until(() => 0);
  }

  /** Sends a word and says what came back in its length: on an echoing backend the same. */
  async echo(word: string): Promise<string> {
    this.send(word);
    return (await this.exactly(Buffer.byteLength(word))).toString();
  }

  async #until(found: (all: Buffer) => number): Promise<Buffer> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const all = Buffer.concat(this.#waiting);
      const length = found(all);
      if (length > 0 || this.#over) return this.#take(all, length > 0 ? length : all.length);
      this.#waiting = [all];
      await this.#more(deadline);
    }
  }

  #take(all: Buffer, length: number): Buffer {
    this.#waiting = length < all.length ? [all.subarray(length)] : [];
    return all.subarray(0, length);
  }

  #more(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error('nothing came in time')),
        Math.max(0, deadline - performance.now()),
      );
      this.#arrived = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #finish(): void {
    this.#over = true;
    this.#arrived();
  }
}

/** Waits for the event; what failed before it is the error. */
export async function opened(duplex: Duplex, event: string): Promise<Conversation> {
  const conversation = new Conversation(duplex);
  await once(duplex, event, { signal: AbortSignal.timeout(timeoutMs) });
  return conversation;
}
