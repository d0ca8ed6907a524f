// Buffers of one size that are used again.

export interface BufferPool {
  take(): Buffer;
  /** Buffers of another size are left to the garbage collector. */
  give(buffer: Buffer): void;
}

/** Keeps at most `spare` buffers that nobody uses. */
export function createBufferPool(size: number, spare: number): BufferPool {
  const free: Buffer[] = [];
  return {
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(size),
    give: (buffer) => {
      if (free.length < spare && buffer.length === size) free.push(buffer);
    },
  };
}
