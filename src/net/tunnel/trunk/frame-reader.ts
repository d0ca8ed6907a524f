// Reads frames from chunks, wherever they are cut. Data is passed on as it comes, as views of the chunk; only the other
// frames, which are small, are put together. A turn has so many frames, so that a sender of small ones holds up nobody else.
import { type FrameType, frameLimit, frameTypes, headerBytes, isFrameType } from './frame.ts';

export interface FrameHandler {
  /** Part of a data frame, a view of the chunk. `room` as in `Sink.data`. */
  part(stream: number, data: Buffer, room: number): void;
  /** Any other frame. The payload is only lent. */
  frame(type: FrameType, stream: number, payload: Buffer): void;
  /** What came is no frame. Nothing more is read. */
  bad(why: string): void;
}

const none = Buffer.alloc(0);
/** Frames of one turn; a request costs as much as several others. */
export const framesPerTurn = 256;
const openCost = 8;

export class FrameReader {
  readonly #handler: FrameHandler;
  readonly #header = Buffer.alloc(headerBytes);
  #headerHas = 0;
  #type: FrameType = frameTypes.ping;
  #stream = 0;
  /** Bytes of the current frame that are still to come. */
  #remaining = 0;
  #payload: Buffer = none;
  #payloadHas = 0;
  #stopped = false;
  /** Of this turn. */
  #left = 0;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Reads what a turn may have from `from` on, and answers where it stopped: the rest is for the next turn. */
  push(chunk: Buffer, room: number, from = 0): number {
    let at = from;
    this.#left = framesPerTurn;
    while (at < chunk.length && !this.#stopped) {
      if (this.#remaining > 0) at = this.#takePayload(chunk, at, room);
      else if (this.#left > 0) at = this.#takeHeader(chunk, at);
      else return at;
    }
    return chunk.length;
  }

  #takeHeader(chunk: Buffer, from: number): number {
    // Nearly always whole.
    if (this.#headerHas === 0 && chunk.length - from >= headerBytes) {
      this.#begin(chunk, from);
      return from + headerBytes;
    }
    const part = Math.min(headerBytes - this.#headerHas, chunk.length - from);
    chunk.copy(this.#header, this.#headerHas, from, from + part);
    this.#headerHas += part;
    if (this.#headerHas === headerBytes) {
      this.#headerHas = 0;
      this.#begin(this.#header, 0);
    }
    return from + part;
  }

  #begin(from: Buffer, at: number): void {
    const type = from[at] as number;
    const length = ((from[at + 1] as number) << 16) | ((from[at + 2] as number) << 8) | (from[at + 3] as number);
    if (!isFrameType(type)) this.#fail(`a frame of unknown type ${type}`);
    else if (length > frameLimit(type)) this.#fail(`a frame of type ${type} with ${length} bytes`);
    else this.#frame(type, length, from.readUInt32BE(at + 4));
  }
  #frame(type: FrameType, length: number, stream: number): void {
    this.#type = type;
    this.#stream = stream;
    this.#remaining = length;
    this.#left -= type === frameTypes.open ? openCost : 1;
    if (type === frameTypes.data) return;
    if (length === 0) {
      this.#handler.frame(type, stream, none);
      return;
    }
    this.#payload = Buffer.allocUnsafe(length);
    this.#payloadHas = 0;
  }
  #fail(why: string): void {
    this.#stopped = true;
    this.#handler.bad(why);
  }

  #takePayload(chunk: Buffer, at: number, room: number): number {
    const part = Math.min(this.#remaining, chunk.length - at);
    this.#remaining -= part;
    if (this.#type === frameTypes.data) {
      // What is directly in front is this frame's header: nobody needs it any more.
      this.#handler.part(this.#stream, chunk.subarray(at, at + part), Math.min(room + at, headerBytes));
      return at + part;
    }
    chunk.copy(this.#payload, this.#payloadHas, at, at + part);
    this.#payloadHas += part;
    if (this.#remaining === 0) this.#handler.frame(this.#type, this.#stream, this.#payload);
    return at + part;
  }
}
