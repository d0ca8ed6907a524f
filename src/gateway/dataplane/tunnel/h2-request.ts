// One CONNECT in an HTTP/2 session.
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { maximumHeaders, StreamWire } from '../../../net/tunnel/h2/index.ts';
import { type RefusalCode, refusals } from '../../refusals.ts';
import type { Target } from '../../snapshot/cluster-entry.ts';
import type { OpenedConnection } from '../interfaces.ts';
import type { TunnelContext, TunnelPeer } from './tunnel.ts';

export type RequestHeaders = IncomingHttpHeaders & { readonly ':method'?: string; readonly ':authority'?: string };

/** The session that it is in. */
export interface RequestOwner {
  readonly peer: TunnelPeer;
  readonly context: TunnelContext;
  judged(verdict: Target | RefusalCode): void;
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
    const target = this.#judge();
    this.#owner.judged(target);
    if (typeof target === 'string') this.#refuse(target);
    else this.#dial(target);
  }
  #judge(): Target | RefusalCode {
    if (sizeOf(this.#headers) > maximumHeaders) return 'headers-too-large';
    if (this.#headers[':method'] !== 'CONNECT') return 'not-connect';
    const authority = this.#headers[':authority'] ?? '';
    return this.#context.authenticator.admit(this.#peer, authority, bearerIn(this.#headers['proxy-authorization']));
  }

  #refuse(code: RefusalCode): void {
    const { listener, remote } = this.#peer;
    this.#context.host.refuse(code, { listener, remote, name: this.#headers[':authority'] });
    this.#answer(code);
  }
  #answer(code: RefusalCode): void {
    this.#opening = undefined;
    if (!this.#stream.destroyed && !this.#stream.closed) this.#stream.respond(answerFor(code), { endStream: true });
    // What the client still sends is for nobody.
    this.#stream.resume();
  }

  #dial(target: Target): void {
    const { listener, remote, local } = this.#peer;
    const request = { listener, name: this.#headers[':authority'] ?? '', target, remote, local };
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
