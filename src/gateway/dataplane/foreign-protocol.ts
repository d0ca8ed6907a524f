// What is not TLS on a TLS listener: a request of plain HTTP gets an answer, the rest gets none.
import type { RefusalCode } from '../refusals.ts';

const tlsHandshake = 0x16;
const methods = ['GET ', 'HEAD', 'POST', 'PUT ', 'PATC', 'DELE', 'OPTI', 'CONN', 'TRAC', 'PRI '];
const requests: ReadonlySet<number> = new Set(methods.map((method) => Buffer.from(method).readUInt32BE()));

/** Nothing for what may become TLS; 'more' where the first byte alone does not tell. */
export function foreignProtocol(bytes: Buffer, length: number): RefusalCode | 'more' | undefined {
  const first = bytes[0] ?? 0;
  if (first === tlsHandshake) return undefined;
  if (first < 0x41 || first > 0x5a) return 'not-tls';
  if (length < 4) return 'more';
  return requests.has(bytes.readUInt32BE(0)) ? 'plain-http' : 'not-tls';
}
