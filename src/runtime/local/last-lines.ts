import { type FileHandle, open } from 'node:fs/promises';

const firstBytes = 64 * 1024;

/** Oldest first; nothing where there is no file. Reads only as much of its end as it must. */
export async function lastLines(file: string, lines: number): Promise<string[]> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const { size } = await handle.stat();
    for (let bytes = firstBytes; ; bytes *= 4) {
      const text = await endOf(handle, size, bytes);
      const found = text.replace(/\n$/, '').split('\n');
      // The first of these may have lost its beginning.
      if (bytes >= size) return size === 0 ? [] : found.slice(-lines);
      if (found.length > lines) return found.slice(-lines);
    }
  } catch {
    return [];
  } finally {
    await handle?.close();
  }
}

async function endOf(handle: FileHandle, size: number, bytes: number): Promise<string> {
  const length = Math.min(size, bytes);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString('utf8', 0, bytesRead);
}
