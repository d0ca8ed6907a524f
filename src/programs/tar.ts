import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unzip = promisify(gunzip);
const block = 512;
/** The largest release we know unpacks to a quarter of this. */
const largest = 1024 * 1024 * 1024;

export interface TarEntry {
  name: string;
  content: Buffer;
}

/** The regular files of a .tar.gz; names are normalised ("./bridge" is "bridge"). */
export async function* tarEntries(archive: string): AsyncGenerator<TarEntry> {
  const bytes = await unzip(await readFile(archive), { maxOutputLength: largest });
  let longName: string | undefined;
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const header = bytes.subarray(at, at + block);
    const size = octal(header, 124, 12);
    const content = bytes.subarray(at + block, at + block + size);
    const kind = String.fromCharCode(header[156] ?? 0);
    // GNU tar puts a name of more than 100 characters into an entry of its own.
    if (kind === 'L') longName = text(content, 0, content.length);
    else {
      if (kind === '0' || kind === '\0') yield { name: path.posix.normalize(longName ?? nameIn(header)), content };
      longName = undefined;
    }
    at += block + Math.ceil(size / block) * block;
  }
}

function nameIn(header: Buffer): string {
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : '';
  return prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`;
}

function text(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}

const octal = (bytes: Buffer, start: number, length: number): number =>
  Number.parseInt(text(bytes, start, length).trim() || '0', 8);
