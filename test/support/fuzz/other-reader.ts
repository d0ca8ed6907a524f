// Another reader of ClientHellos, to ask about what ours has accepted. It reads less than ours does, and is helped here:
// - it takes only the first record, so the message is put into one, without what follows it;
// - it decodes text as ASCII, without the eighth bit; ours of protocols is Latin-1;
// - it gives names as they were sent; ours are in lower case and without a dot at their end;
// - it gives all protocols; ours the first sixteen;
// - it fails where there are no extensions, or half a cipher suite; ours does not need either.
import { PassThrough } from 'node:stream';
import { getExtensionData, readTlsClientHello } from 'read-tls-client-hello';

export interface Said {
  readonly serverName: string | undefined;
  readonly alpn: readonly string[];
}

/** Nothing where it cannot read what is right. */
export async function otherReading(hello: Buffer): Promise<Said | undefined> {
  const message = messageOf(hello);
  if (!isReadable(message)) return undefined;
  const stream = new PassThrough();
  stream.write(Buffer.concat([Buffer.from([22, 3, 1, message.length >> 8, message.length & 255]), message]));
  const theirs = await readTlsClientHello(stream);
  const alpn = getExtensionData(theirs, 'application_layer_protocol_negotiation')?.protocols ?? [];
  return { serverName: getExtensionData(theirs, 'server_name')?.serverName, alpn };
}

export const asTheyWouldSay = ({ serverName, alpn }: Said): Said => ({ serverName, alpn: alpn.map(withoutEighthBit) });
export const asWeWouldSay = ({ serverName, alpn }: Said): Said => ({
  serverName: serverName?.toLowerCase().replace(/(?<=.)\.$/, ''),
  alpn: alpn.slice(0, 16),
});
const withoutEighthBit = (text: string): string => Buffer.from(text, 'latin1').toString('ascii');

/** The bytes of all records, as far as the length of the message in front says. */
function messageOf(records: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 5 <= records.length; at += 5 + records.readUInt16BE(at + 3))
    parts.push(records.subarray(at + 5, at + 5 + records.readUInt16BE(at + 3)));
  const all = Buffer.concat(parts);
  return all.subarray(0, 4 + all.readUIntBE(1, 3));
}

function isReadable(message: Buffer): boolean {
  const ciphers = 4 + 34 + 1 + (message[38] ?? 0);
  const size = message.readUInt16BE(ciphers);
  const compressions = ciphers + 2 + size;
  return size % 2 === 0 && compressions + 1 + (message[compressions] ?? 0) < message.length;
}
