// What unauthenticated peers send: requests that are refused, as many as fit, never closed by the peer. Raw bytes, because a
// client library would spend its own processor time on each of them.
import { generateKeyPairSync } from 'node:crypto';
import { signToken } from '../../src/net/index.ts';
import { frameTypes, headerBytes, openPayload, trunkPreface, writeHeader } from '../../src/net/tunnel/trunk/index.ts';

export type FloodKind = 'trunk' | 'h2';
export interface Flood {
  /** Sent once, at the beginning of a connection. */
  readonly preface: Buffer;
  /** Requests, each refused by itself. */
  readonly requests: Buffer;
  readonly count: number;
}

const requestsPerConnection = 20_000;
const authority = 'apiserver-external.cluster-quiet.svc.cluster.local:443';

/** Well formed, by a key that the gateway knows by name, and each with another wrong signature. */
function wrongTokens(keyId: string): (index: number) => string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const now = Date.now();
  const [, claims = ''] = signToken({ cluster: 'quiet', issuedAt: now, expiresAt: now + 86_400_000 }, privateKey).split(
    '.',
  );
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'JWT', kid: keyId })).toString('base64url');
  return (index) => {
    const signature = Buffer.alloc(64, 7);
    signature.writeUInt32BE(index, 0);
    return `${header}.${claims}.${signature.toString('base64url')}`;
  };
}

/** Each token is checked by its signature; a key id that is not known would be refused without. */
export const floodOf = (kind: FloodKind, keyId: string): Flood =>
  kind === 'trunk' ? trunkFlood(wrongTokens(keyId)) : h2Flood(wrongTokens(keyId));

function trunkFlood(token: (index: number) => string): Flood {
  const frames = Array.from({ length: requestsPerConnection }, (_, index) => {
    const payload = openPayload({ authority, credentials: token(index) });
    const frame = Buffer.alloc(headerBytes + payload.length);
    writeHeader(frame, 0, frameTypes.open, payload.length, index + 1);
    payload.copy(frame, headerBytes);
    return frame;
  });
  return { preface: trunkPreface, requests: Buffer.concat(frames), count: frames.length };
}

const h2Preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const [headersFrame, settingsFrame] = [1, 4];
const endHeaders = 4;

function h2Flood(token: (index: number) => string): Flood {
  const frames = Array.from({ length: requestsPerConnection }, (_, index) => {
    const method = Buffer.concat([Buffer.from([0x02]), literal('CONNECT')]);
    const place = Buffer.concat([Buffer.from([0x01]), literal(authority)]);
    // Literals without indexing (RFC 7541, 6.2.2), names by their number in the static table.
    const credentials = Buffer.concat([Buffer.from([0x0f, 49 - 15]), literal(`Bearer ${token(index)}`)]);
    return h2Frame(headersFrame, endHeaders, 2 * index + 1, Buffer.concat([method, place, credentials]));
  });
  const preface = Buffer.concat([Buffer.from(h2Preface, 'latin1'), h2Frame(settingsFrame, 0, 0, Buffer.alloc(0))]);
  return { preface, requests: Buffer.concat(frames), count: frames.length };
}

function h2Frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/** A string without Huffman coding; its length as an integer with a prefix of seven bits. */
function literal(text: string): Buffer {
  const bytes: number[] = [];
  let rest = Buffer.byteLength(text);
  if (rest < 127) bytes.push(rest);
  else {
    bytes.push(127);
    for (rest -= 127; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Buffer.concat([Buffer.from(bytes), Buffer.from(text)]);
}
