// One HTTP/2 session to a gateway: streams by CONNECT, pings, and the end that the gateway announces.
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import type { Wire } from '../../wire/wire.ts';
import { TunnelBroken, TunnelRefused } from '../errors.ts';
import { maximumHeaders, StreamWire, sessionWindow, streamsPerSession, streamWindow } from './stream-wire.ts';

export interface H2SessionEvents {
  /** The gateway has told its settings: streams can be opened. */
  settled(session: H2Session): void;
  /** A stream ended, so there is room for another one. */
  room(session: H2Session): void;
  pong(session: H2Session): void;
  lost(session: H2Session, error: Error | undefined): void;
}

export class H2Session {
  readonly #session: ClientHttp2Session;
  readonly #wire: Wire;
  readonly #events: H2SessionEvents;
  #remote: { address: string; port: number };
  #local: { address: string; port: number };
  #most = streamsPerSession;
  #pings = 0;
  #error: Error | undefined;
  #over = false;
  streams = 0;
  settled = false;
  /** No further streams, please. */
  leaving = false;
  /** The owner's clock. */
  since = 0;

  constructor(wire: Wire, events: H2SessionEvents) {
    this.#wire = wire;
    this.#events = events;
    this.#remote = wire.remote;
    this.#local = wire.local;
    const socket = wire.toSocket();
    this.#session = connect('http://gateway', {
      createConnection: () => socket,
      settings: { initialWindowSize: streamWindow, enablePush: false, maxHeaderListSize: maximumHeaders },
      maxSessionMemory: 256,
    });
    // HTTP/2 has no half-closed connections, but our sockets stay open on one side, and then Node waits for ever.
    socket.once('end', () => this.#session.destroy());
    socket.resume();
    this.#listen();
  }
  #listen(): void {
    const session = this.#session;
    session.once('connect', () => session.setLocalWindowSize(sessionWindow));
    session.on('remoteSettings', ({ maxConcurrentStreams }) => this.#settle(maxConcurrentStreams));
    session.on('goaway', () => this.#leave());
    session.on('error', (error) => {
      this.#error ??= error;
    });
    session.on('close', () => {
      this.#over = true;
      this.#events.lost(this, this.#error);
    });
  }
  #settle(most: number | undefined): void {
    this.#most = Math.min(most ?? streamsPerSession, streamsPerSession);
    if (this.settled) return;
    this.settled = true;
    this.#events.settled(this);
  }
  /** What is open goes on; then it is closed. */
  #leave(): void {
    this.leaving = true;
    if (!this.#session.destroyed) this.#session.close();
  }

  get hasRoom(): boolean {
    return this.settled && !this.leaving && !this.#over && !this.#session.closed && this.streams < this.#most;
  }

  open(authority: string, credentials: string | undefined): Wire {
    const headers = { ':method': 'CONNECT', ':authority': authority };
    const stream = this.#session.request(
      credentials === undefined ? headers : { ...headers, 'proxy-authorization': `Bearer ${credentials}` },
      { endStream: false },
    );
    this.streams += 1;
    stream.on('response', (answer) => judge(stream, answer));
    stream.on('close', () => {
      this.streams -= 1;
      this.#events.room(this);
    });
    return new StreamWire(stream, this.#remote, this.#local);
  }

  /** False: an earlier one was not answered. */
  ping(): void {
    if (this.#over || this.#session.destroyed) return;
    this.#pings += 1;
    this.#session.ping((error) => {
      this.#pings = 0;
      if (error === null) this.#events.pong(this);
    });
  }
  get unanswered(): number {
    return this.#pings;
  }

  close(error?: Error): void {
    this.#error ??= error;
    this.#session.destroy(error);
    this.#wire.destroy();
  }
}

function judge(stream: ClientHttp2Stream, answer: IncomingHttpHeaders & { ':status'?: number }): void {
  const status = answer[':status'] ?? 0;
  if (status >= 200 && status < 300) return;
  const code = answer['causeway-refusal'];
  const sentence = answer['causeway-reason'];
  const refused = new TunnelRefused(String(code ?? status), String(sentence ?? `It answered with status ${status}.`));
  stream.destroy(status === 0 ? new TunnelBroken('EPROTO', 'The gateway answered without a status.') : refused);
}
