// ClientHellos for tests: what real clients say, and what none would.
import { Duplex } from 'node:stream';
import { type ConnectionOptions, connect } from 'node:tls';

export interface HelloParts {
  /** Any text as server name. */
  readonly name?: string;
  readonly alpn?: readonly string[];
  readonly others?: readonly { readonly type: number; readonly data: Buffer }[];
  readonly withoutExtensions?: boolean;
}

export function vector(width: number, bytes: Buffer): Buffer {
  const length = Buffer.alloc(width);
  length.writeUIntBE(bytes.length, 0, width);
  return Buffer.concat([length, bytes]);
}

const extension = (type: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type >> 8, type & 255]), vector(2, data)]);

function extensionsOf({ name, alpn, others = [] }: HelloParts): Buffer {
  const found: Buffer[] = [];
  if (name !== undefined) {
    const entry = Buffer.concat([Buffer.from([0]), vector(2, Buffer.from(name, 'latin1'))]);
    found.push(extension(0, vector(2, entry)));
  }
  if (alpn !== undefined)
    found.push(extension(16, vector(2, Buffer.concat(alpn.map((one) => vector(1, Buffer.from(one, 'latin1')))))));
  return Buffer.concat([...found, ...others.map(({ type, data }) => extension(type, data))]);
}

/** In one record. */
export const helloBytes = (parts: HelloParts = {}): Buffer =>
  helloOf(parts.withoutExtensions ? Buffer.alloc(0) : vector(2, extensionsOf(parts)));

/** With any bytes in the place of extensions. */
export const helloOfExtensions = (extensions: Buffer): Buffer => helloOf(vector(2, extensions));

function helloOf(tail: Buffer): Buffer {
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32, 7),
    vector(1, Buffer.alloc(0)),
    vector(2, Buffer.from([0xc0, 0x2b, 0xc0, 0x2f])),
    vector(1, Buffer.from([0])),
    tail,
  ]);
  return record(Buffer.concat([Buffer.from([1]), vector(3, body)]));
}

const record = (part: Buffer): Buffer => Buffer.concat([Buffer.from([22, 3, 1]), vector(2, part)]);

/** The same message in records of these sizes, over and over (RFC 8446 §5.1). */
export function inRecords(hello: Buffer, sizes: readonly number[]): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let [at, i] = [0, 0]; at < message.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    records.push(record(message.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat(records);
}

/** What Node's TLS says first. */
export function nodeHello(options: ConnectionOptions): Promise<Buffer> {
  return new Promise((resolve) => {
    const pipe = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        resolve(Buffer.from(chunk));
        done();
      },
    });
    const client = connect({ ...options, socket: pipe });
    client.on('error', () => {});
    setImmediate(() => client.destroy());
  });
}
