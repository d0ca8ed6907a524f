// HTTP/2 frames by hand, for what no client library would send (RFC 9113).
import { connect } from 'node:tls';
import type { Place } from './clients.ts';
import { type Conversation, opened } from './conversation.ts';

const types = { data: 0, headers: 1, resetStream: 3, settings: 4 } as const;
const endHeaders = 4;

function frame(type: keyof typeof types, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = types[type];
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A literal that no table remembers (RFC 7541, section 6.2.2); texts of fewer than 127 bytes. */
const literal = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);

export const preface = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame('settings', 0, 0, Buffer.alloc(0)),
]);

export const request = (stream: number, headers: Readonly<Record<string, string>>): Buffer =>
  frame(
    'headers',
    endHeaders,
    stream,
    Buffer.concat(Object.entries(headers).map(([name, value]) => literal(name, value))),
  );

export const resetStream = (stream: number): Buffer => frame('resetStream', 0, stream, Buffer.from([0, 0, 0, 8]));

/** A TLS connection that has agreed on HTTP/2 and said nothing yet. */
export const rawHttp2 = ({ host, port }: Place, servername: string): Promise<Conversation> =>
  opened(connect({ host, port, servername, ALPNProtocols: ['h2'], rejectUnauthorized: false }), 'secureConnect');

/** Error codes (RFC 9113, section 7). */
export const protocolError = 1;

/** Passes over what else comes until a stream is reset. */
export async function nextReset(
  conversation: Conversation,
): Promise<{ readonly stream: number; readonly code: number }> {
  for (;;) {
    const head = await conversation.exactly(9);
    const length = head.readUIntBE(0, 3);
    const payload = length === 0 ? head : await conversation.exactly(length);
    if (head[3] === types.resetStream) return { stream: head.readUInt32BE(5), code: payload.readUInt32BE(0) };
  }
}
