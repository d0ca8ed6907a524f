// One CONNECT in an HTTP/2 session.
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { maximumHeaders, StreamWire } from '../../../net/tunnel/h2/index.ts';
import { type RefusalCode, refusals } from '../../refusals.ts';
import type { OpenedConnection } from '../interfaces.ts';
import type { Admission } from './authenticator.ts';
import type { TunnelContext, TunnelPeer } from './tunnel.ts';

const { NGHTTP2_NO_ERROR } = constants;

export type RequestHeaders = IncomingHttpHeaders & { readonly ':method'?: string; readonly ':authority'?: string };

/** The session that it is in. */
export interface RequestOwner {
  readonly peer: TunnelPeer;
  readonly context: TunnelContext;
  judged(admission: Admission): void;
  /** False: it has asked for too many in a short time. */
  mayOpen(): boolean;
}

export class H2Request {
  readonly #stream: ServerHttp2Stream;
  readonly #headers: RequestHeaders;
  readonly #owner: RequestOwner;
  readonly #peer: TunnelPeer;
  readonly #context: TunnelContext;
  #opening: OpenedConnection | undefined;
  /** From then on it ends as connections do, by a reset too. */
  carried = false;

  constructor(stream: ServerHttp2Stream, headers: RequestHeaders, owner: RequestOwner) {
    this.#stream = stream;
    this.#headers = headers;
    this.#owner = owner;
    this.#peer = owner.peer;
    this.#context = owner.context;
  }

  begin(): void {
    const admission = this.#judge();
    if (admission.refusal !== undefined) this.#refuse(admission);
    // After the answer: it may be the last one that the session gets.
    this.#owner.judged(admission);
    if (admission.refusal === undefined) this.#dial(admission);
  }
  #judge(): Admission {
    if (sizeOf(this.#headers) > maximumHeaders) return { refusal: 'headers-too-large' };
    if (this.#headers[':method'] !== 'CONNECT') return { refusal: 'not-connect' };
    if (!this.#owner.mayOpen()) return { refusal: 'too-many-opens' };
    const authority = this.#headers[':authority'] ?? '';
    return this.#context.authenticator.admit(this.#peer, authority, bearerIn(this.#headers['proxy-authorization']));
  }

  #refuse({ refusal, identity }: Extract<Admission, { refusal: RefusalCode }>): void {
    const { listener, remote } = this.#peer;
    this.#context.host.refuse(refusal, { listener, remote, identity, name: this.#headers[':authority'] });
    this.#answer(refusal);
  }
  #answer(code: RefusalCode): void {
    this.#opening = undefined;
    if (!this.#stream.destroyed && !this.#stream.closed) this.#stream.respond(answerFor(code), { endStream: true });
    // What the client still sends is for nobody, and whether it ends by itself is not waited for.
    this.#stream.resume();
    this.#stream.close(NGHTTP2_NO_ERROR);
  }

  #dial({ target, identity }: Extract<Admission, { refusal?: undefined }>): void {
    const { listener, remote, local } = this.#peer;
    const request = { listener, name: this.#headers[':authority'] ?? '', target, identity, remote, local };
    let answered = false;
    const opening = this.#context.host.open(request, (refusal, opened) => {
      answered = true;
      if (opened === undefined) this.#answer(refusal ?? 'no-backend');
      else this.#carry(opened);
    });
    if (answered) return;
    this.#opening = opening;
    this.#stream.once('close', () => this.#opening?.abandon());
  }
  #carry(opened: OpenedConnection): void {
    this.#opening = undefined;
    if (this.#stream.destroyed || this.#stream.closed) {
      opened.abandon();
      return;
    }
    this.carried = true;
    this.#stream.respond({ ':status': 200 });
    opened.carry(new StreamWire(this.#stream, this.#peer.remote, this.#peer.local));
  }
}

function answerFor(code: RefusalCode): OutgoingHttpHeaders {
  const { status, sentence } = refusals[code];
  const plain = { ':status': status, 'causeway-refusal': code, 'causeway-reason': asciiOf(sentence) };
  return status === 407 ? { ...plain, 'proxy-authenticate': 'Bearer' } : plain;
}
/** Headers carry nothing else. */
const asciiOf = (text: string): string => text.replace(/[‘’]/g, "'").replace(/[^\x20-\x7e]/g, '?');

const bearerIn = (value: string | undefined): string | undefined => /^bearer +(\S+)$/i.exec(value ?? '')?.[1];

function sizeOf(headers: RequestHeaders): number {
  let size = 0;
  for (const [name, value] of Object.entries(headers)) size += name.length + String(value).length + 32;
  return size;
}
