import { createHash } from 'node:crypto';

/** Bytes that look like chance but are the same in every process, so that a hash of them can be known on both sides. */
export function pattern(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let state = 0x9e3779b9;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state & 0xff;
  }
  return bytes;
}

export const sha256 = (...parts: readonly Uint8Array[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
