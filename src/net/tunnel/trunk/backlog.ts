// What came for a reader that does not take it yet. Small parts share memory: a sender of single bytes must not cost more
// than the window that it was given.

const blockSize = 16 * 1024;

interface Block {
  readonly memory: Buffer;
  used: number;
}

export class Backlog {
  readonly #blocks: Block[] = [];
  bytes = 0;

  /** Copies, because what came is only lent. */
  push(data: Buffer): void {
    this.bytes += data.length;
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.used + data.length <= last.memory.length) {
      data.copy(last.memory, last.used);
      last.used += data.length;
    } else this.#blocks.push(blockOf(data, this.#blocks.length > 0));
  }
  get empty(): boolean {
    return this.#blocks.length === 0;
  }
  /** There must be something. */
  shift(): Buffer {
    const { memory, used } = this.#blocks.shift() as Block;
    this.bytes -= used;
    return memory.subarray(0, used);
  }
}

/** A first small part is often the only one. */
function blockOf(data: Buffer, more: boolean): Block {
  const memory = Buffer.allocUnsafeSlow(more ? Math.max(blockSize, data.length) : data.length);
  data.copy(memory);
  return { memory, used: data.length };
}
