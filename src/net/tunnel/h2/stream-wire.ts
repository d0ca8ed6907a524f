// A stream of HTTP/2 as a wire. It differs from other streams in how it breaks: a reset may come without an error.
import { constants, type Http2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { DuplexWire } from '../../wire/duplex-wire.ts';
import type { Endpoint } from '../../wire/wire.ts';
import { TunnelBroken } from '../errors.ts';

const { NGHTTP2_NO_ERROR } = constants;
/** Shared, because nobody reads it: it makes HTTP/2 send a reset. */
const abandoned = new Error('abandoned');

export class StreamWire extends DuplexWire<Http2Stream> {
  readonly #remote: Endpoint;
  readonly #local: Endpoint;
  #readEnded = false;
  #writeEnded = false;

  constructor(stream: Http2Stream, remote: Endpoint, local: Endpoint) {
    super(stream);
    this.#remote = remote;
    this.#local = local;
  }

  override get remote(): Endpoint {
    return this.#remote;
  }
  override get local(): Endpoint {
    return this.#local;
  }

  protected override failed(error: NodeJS.ErrnoException): void {
    // It only says that there is a code.
    if (error.code !== 'ERR_HTTP2_STREAM_ERROR') super.failed(error);
  }
  protected override readEnded(): void {
    this.#readEnded = true;
    super.readEnded();
  }
  override end(): void {
    this.#writeEnded = true;
    super.end();
  }

  /** Not `close` with a code: that says END first, and the far side would take it for an orderly end. */
  override destroy(_reset?: boolean): void {
    if (this.isClosed) return;
    this.stream.destroy(abandoned);
    this.finish(undefined);
  }
  protected override reason(): Error | undefined {
    const { rstCode } = this.stream;
    // A reset without an error, before we have ended our half, looks like an end to Node.
    const inOrder = this.#readEnded && this.#writeEnded && rstCode === NGHTTP2_NO_ERROR;
    return super.reason() ?? (inOrder ? undefined : brokenBy(rstCode));
  }

  override toSocket(): Socket {
    throw new Error('A tunnelled connection cannot become a socket.');
  }
}

const brokenBy = (code: number | undefined): Error =>
  new TunnelBroken(
    'ECONNRESET',
    `The other end of the tunnel reset the connection (HTTP/2 code ${code ?? 'unknown'}).`,
  );

// How much HTTP/2 may have on its way. A stream that nobody reads keeps its own window full, and all of them together
// the session's: so that is as large as all streams that a session carries, and none can stop another.

/** Bytes of one connection that may be on their way, or unread. */
export const streamWindow = 1024 * 1024;
/** Streams of one session. As many may stand still without slowing another one. */
export const streamsPerSession = 100;
export const sessionWindow = streamWindow * (streamsPerSession + 1);
/** Headers of a CONNECT are small: an authority, and a token. */
export const maximumHeaders = 8 * 1024;
