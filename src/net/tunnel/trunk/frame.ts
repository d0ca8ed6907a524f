// Frames of a trunk: type (1 byte), length (3 bytes), stream (4 bytes), payload. Pure; nothing here knows a socket.

/** First bytes of a trunk, so that a port can tell it from TLS and HTTP. */
export const trunkPreface = Buffer.from('CAUSEWAY/1\r\n', 'latin1');
/** Its name in TLS (ALPN). */
export const trunkProtocol = 'causeway/1';

export const frameTypes = {
  /** Agent: carry a connection to this authority. An empty authority only shows the credentials. */
  open: 1,
  opened: 2,
  refused: 3,
  data: 4,
  /** Nothing more in this direction. */
  end: 5,
  /** Both directions are over. */
  reset: 6,
  /** So many bytes more may be sent. */
  credit: 7,
  ping: 8,
  pong: 9,
  /** No further connections, please. */
  goaway: 10,
} as const;

export type FrameType = (typeof frameTypes)[keyof typeof frameTypes];

export const headerBytes = 8;
export const maximumData = 1024 * 1024;
export const maximumOpen = 8 * 1024;
export const maximumRefused = 2 * 1024;

/** How long a payload may be, by type. */
const limits: readonly number[] = [0, maximumOpen, 0, maximumRefused, maximumData, 0, 0, 4, 0, 0, 0];

export const isFrameType = (type: number): type is FrameType => type >= 1 && type < limits.length;
export const frameLimit = (type: FrameType): number => limits[type] as number;

export function writeHeader(into: Buffer, at: number, type: FrameType, length: number, stream: number): void {
  into[at] = type;
  into[at + 1] = length >>> 16;
  into[at + 2] = (length >>> 8) & 0xff;
  into[at + 3] = length & 0xff;
  into[at + 4] = stream >>> 24;
  into[at + 5] = (stream >>> 16) & 0xff;
  into[at + 6] = (stream >>> 8) & 0xff;
  into[at + 7] = stream & 0xff;
}

// What is inside the frames that have something inside.

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
