import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

// The layout is that of PKWARE's APPNOTE: the central directory at the end names every entry and where it starts.
const endSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const entrySignature = 0x02014b50;
const stored = 0;
const deflated = 8;

export interface ZipEntry {
  name: string;
  content: () => Promise<Buffer>;
}

/** The files of a zip (a wheel, a Go module); content is unpacked when it is asked for. */
export async function zipEntries(archive: string): Promise<ZipEntry[]> {
  const bytes = await readFile(archive);
  const end = bytes.lastIndexOf(endSignature);
  if (end === -1) throw new Error(`${archive} is no zip file`);
  const entries: ZipEntry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (bytes.readUInt32LE(at) !== entrySignature) throw new Error(`${archive} is a damaged zip file`);
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if (!name.endsWith('/')) entries.push({ name, content: contentAt(bytes, at) });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function contentAt(bytes: Buffer, entry: number): () => Promise<Buffer> {
  const method = bytes.readUInt16LE(entry + 10);
  const [packed, size] = [bytes.readUInt32LE(entry + 20), bytes.readUInt32LE(entry + 24)];
  const local = bytes.readUInt32LE(entry + 42);
  return async () => {
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(start, start + packed);
    if (method === stored) return content;
    if (method !== deflated) throw new Error(`zip method ${method} is not known`);
    return inflate(content, { maxOutputLength: Math.max(size, 1) });
  };
}
