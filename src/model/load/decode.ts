// Bytes of a file as text: UTF-8 or a finding that names the first byte that is not.
import type { Finding } from '../finding.ts';
import { findingOf } from './document.ts';

const strict = new TextDecoder('utf-8', { fatal: true });

export type Decoded = { readonly text: string } | { readonly finding: Finding };

export function decode(file: string, bytes: Uint8Array): Decoded {
  try {
    return { text: strict.decode(bytes) };
  } catch {
    return { finding: notUtf8(file, bytes) };
  }
}

function notUtf8(file: string, bytes: Uint8Array): Finding {
  const start = `${bytes[0]},${bytes[1]}`;
  if (start === '255,254' || start === '254,255') {
    const message = 'the file is UTF-16, not UTF-8';
    return findingOf('CW-FILE-ENCODING', { message, fix: 'Save it as UTF-8.', position: { file, line: 1, column: 1 } });
  }
  const { line, column, offset } = firstBadByte(bytes);
  const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
  const message = `the file is not UTF-8: byte 0x${byte} at offset ${offset} is not part of a character`;
  return findingOf('CW-FILE-ENCODING', { message, fix: 'Save it as UTF-8.', position: { file, line, column } });
}

/** The first line that does not decode, then the longest start of it that does. */
function firstBadByte(bytes: Uint8Array): { line: number; column: number; offset: number } {
  let [line, start] = [1, 0];
  for (;;) {
    const end = bytes.indexOf(10, start);
    const row = bytes.subarray(start, end === -1 ? bytes.length : end);
    if (end === -1 || !decodes(row)) {
      const good = longestPrefix(row);
      return { line, column: good.text.length + 1, offset: start + good.bytes };
    }
    [line, start] = [line + 1, end + 1];
  }
}

function longestPrefix(row: Uint8Array): { text: string; bytes: number } {
  // With stream the decoder keeps an unfinished character back instead of refusing it, so prefixes grow monotonically.
  let [low, high] = [0, row.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (decodes(row.subarray(0, middle), true)) low = middle;
    else high = middle - 1;
  }
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(row.subarray(0, low), {
    stream: true,
  });
  return { text, bytes: Math.min(new TextEncoder().encode(text).length, Math.max(row.length - 1, 0)) };
}

function decodes(bytes: Uint8Array, unfinished = false): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: unfinished });
    return true;
  } catch {
    return false;
  }
}
