// First words of TLS clients, as bytes: real ones, and the same in other records.
import { helloBytes, helloOfExtensions, inRecords, nodeHello } from '../../../src/net/testing/hellos.ts';

/** What Node's TLS says first; without a name no server_name extension. */
export const clientHello = (servername?: string): Promise<Buffer> =>
  nodeHello(servername === undefined ? {} : { servername });

/** The same handshake message in records of at most `size` bytes, which RFC 8446 §5.1 allows. */
export const inRecordsOf = (size: number, hello: Buffer): Buffer => inRecords(hello, [size]);

/** A hand-made hello with any text as server name, for what no client library would send. */
export const helloWithName = (name: string): Buffer => helloBytes({ name });

/** In as many records as it takes: one holds 16 KiB. */
export const helloWithExtensions = (extensions: Buffer): Buffer =>
  inRecordsOf(16 * 1024, helloOfExtensions(extensions));
