// The memory that native wires read into.

/** In front of each chunk, for a header. */
export const room = 16;
export const landingSize = 64 * 1024;
const bulkSize = 256 * 1024;

/** All quiet connections read into this one. */
export const landing = Buffer.allocUnsafeSlow(landingSize);
const scratches = createBufferPool(room + landingSize, 64);
const bulks = createBufferPool(room + bulkSize, 32);

/** Room, and as much as the landing buffer holds. */
export const takeScratch = (): Buffer => scratches.take();
/** Room, and what a bulky connection reads at once. */
export const takeBulk = (): Buffer => bulks.take();
/** Nobody uses it any more; memory from elsewhere is left to the garbage collector. */
export const giveBack = (buffer: Buffer): void => (buffer.length === room + bulkSize ? bulks : scratches).give(buffer);
/** The same for memory of which only a chunk is known: it was adopted. */
export const recycle = (chunk: Buffer): void => giveBack(Buffer.from(chunk.buffer));

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
