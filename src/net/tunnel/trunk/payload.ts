// What is inside the frames that have something inside.
import { maximumOpen } from './frame.ts';

export interface OpenPayload {
  readonly authority: string;
  /** Absent: those that this trunk has shown before. */
  readonly credentials?: string | undefined;
}

export interface RefusedPayload {
  readonly code: string;
  readonly sentence: string;
}

/** Authority (length in 2 bytes), then the credentials. */
export function openPayload(open: OpenPayload): Buffer {
  const authority = Buffer.from(open.authority, 'utf8');
  const credentials = Buffer.from(open.credentials ?? '', 'utf8');
  if (2 + authority.length + credentials.length > maximumOpen) {
    throw new RangeError(`Authority and credentials have more than ${maximumOpen - 2} bytes.`);
  }
  const length = Buffer.from([authority.length >>> 8, authority.length & 0xff]);
  return Buffer.concat([length, authority, credentials]);
}

/** Undefined when the payload is none. */
export function readOpen(payload: Buffer): OpenPayload | undefined {
  if (payload.length < 2) return undefined;
  const end = 2 + payload.readUInt16BE(0);
  if (end > payload.length) return undefined;
  const authority = payload.toString('utf8', 2, end);
  return end === payload.length ? { authority } : { authority, credentials: payload.toString('utf8', end) };
}

const maximumCode = 64;
const maximumSentence = 1024;

/** Code (length in 1 byte), then the sentence. Too long ones are cut, for a refusal must never fail. */
export function refusedPayload(refused: RefusedPayload): Buffer {
  const code = Buffer.from(refused.code.slice(0, maximumCode), 'latin1');
  const sentence = Buffer.from(refused.sentence, 'utf8').subarray(0, maximumSentence);
  return Buffer.concat([Buffer.from([code.length]), code, sentence]);
}

export function readRefused(payload: Buffer): RefusedPayload | undefined {
  const end = 1 + (payload[0] ?? 255);
  if (end > payload.length) return undefined;
  return { code: payload.toString('latin1', 1, end), sentence: payload.toString('utf8', end) };
}
