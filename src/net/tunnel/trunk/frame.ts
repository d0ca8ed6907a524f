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
