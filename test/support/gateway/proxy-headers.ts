// PROXY protocol as balancers write it and backends read it (version 1 is text, version 2 is binary).
import type { Conversation } from './conversation.ts';

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

export const proxyV1 = (client: string, port: number): Buffer =>
  Buffer.from(`PROXY TCP4 ${client} 127.0.0.1 ${port} 443\r\n`);

export function proxyV2(client: string, port: number): Buffer {
  const head = Buffer.concat([signature, Buffer.from([0x21, 0x11, 0, 12])]);
  const addresses = Buffer.from([...client.split('.').map(Number), 127, 0, 0, 1, port >> 8, port & 0xff, 1, 187]);
  return Buffer.concat([head, addresses]);
}

export interface ProxyHeader {
  readonly client: string;
  readonly port: number;
}

/** Reads a version 2 header over IPv4, as a backend would. */
export async function readProxyV2(conversation: Conversation): Promise<ProxyHeader> {
  const head = await conversation.exactly(16);
  if (!head.subarray(0, 12).equals(signature)) throw new Error(`no PROXY header but ${head.toString('latin1')}`);
  const rest = await conversation.exactly(head.readUInt16BE(14));
  if (head[13] !== 0x11) throw new Error(`not TCP over IPv4: ${head[13]}`);
  return { client: rest.subarray(0, 4).join('.'), port: rest.readUInt16BE(8) };
}
