// A downstream connection: from the first byte until its route is known and an upstream has answered.
import {
  type BadHello,
  type GoodHello,
  type HelloProgress,
  largestHello,
  newHelloProgress,
  readClientHello,
  readProxyHeader,
} from '../../net/index.ts';
import type { Endpoint, Sink, Wire } from '../../net/wire/index.ts';
import { answerOf, type RefusalCode } from '../refusals.ts';
import type { Target } from '../snapshot/cluster-entry.ts';
import { FirstBytes } from './first-bytes.ts';
import type { Listener, OpenDone, OpenedConnection, OpenRequest, RefusedPeer } from './interfaces.ts';
import type { TimeoutEntry } from './timeout-queue.ts';

/** What a downstream connection asks of the worker that accepted it. */
export interface DownstreamHost {
  /** Whether it comes from a trusted balancer. Nobody else's header is believed. */
  needsProxyHeader(wire: Wire): boolean;
  isTunnel(listener: Listener, serverName: string): boolean;
  bySni(serverName: string): Target | undefined;
  byPort(listener: Listener): Target | undefined;
  open(request: OpenRequest, done: OpenDone): OpenedConnection | undefined;
  refuse(code: RefusalCode, about: RefusedPeer): void;
  toTunnel(wire: Wire, head: Buffer, remote: Endpoint, listener: Listener): void;
  /** Its first bytes are complete, or it has gone. */
  inspected(downstream: DownstreamConnection): void;
  /** It was refused with an answer, and gets time to read it. */
  startLinger(downstream: DownstreamConnection): void;
  endLinger(downstream: DownstreamConnection): void;
}

type Stage = 'proxy' | 'hello' | 'dialing' | 'carried' | 'lingering' | 'gone';

const refusalOfHello: Readonly<Record<BadHello['why'], RefusalCode>> = {
  'not-tls': 'not-tls',
  'too-large': 'hello-too-large',
  malformed: 'hello-malformed',
};

/** Of what a refused client still sends this much is discarded, so that it gets to reading the answer. */
const maxDiscardedBytes = 64 * 1024;

export class DownstreamConnection implements Sink, TimeoutEntry, OpenRequest, RefusedPeer {
  readonly listener: Listener;
  readonly wire: Wire;
  before: TimeoutEntry | undefined;
  after: TimeoutEntry | undefined;
  since = 0;
  name = '';
  target!: Target;
  readonly #host: DownstreamHost;
  readonly #first = new FirstBytes();
  #stage: Stage = 'hello';
  #source: Endpoint | undefined;
  #destination: Endpoint | undefined;
  #connection: OpenedConnection | undefined;
  #progress: HelloProgress | undefined;
  #ended = false;
  #discarded = 0;

  constructor(listener: Listener, wire: Wire, host: DownstreamHost) {
    this.listener = listener;
    this.wire = wire;
    this.#host = host;
  }

  /** The real client: as the balancer tells, else who is at the other end of the wire. */
  get remote(): Endpoint {
    return this.#source ?? this.wire.remote;
  }
  get local(): Endpoint {
    return this.#destination ?? this.wire.local;
  }

  begin(): void {
    if (this.#host.needsProxyHeader(this.wire)) this.#stage = 'proxy';
    else this.#routeByListener();
    // Somebody else reads from it now, where it was handed over.
    if (this.#stage !== 'gone') this.wire.read(this);
  }

  data(chunk: Buffer): boolean {
    if (this.#stage === 'gone') return false;
    if (this.#stage === 'lingering') return this.#discard(chunk);
    this.#first.add(chunk);
    if (this.#stage === 'proxy') this.#readProxyHeader();
    else if (this.#stage === 'hello') this.#readHello();
    else if (this.#first.length >= largestHello) this.wire.pause();
    return false;
  }
  #discard(chunk: Buffer): boolean {
    this.#discarded += chunk.length;
    if (this.#discarded > maxDiscardedBytes) this.wire.destroy();
    return false;
  }

  #readProxyHeader(): void {
    const header = readProxyHeader(this.#first.bytes, this.#first.length);
    if (header.state === 'bad') this.refuse('bad-proxy-header');
    if (header.state !== 'done') return;
    this.#source = header.source;
    this.#destination = header.destination;
    this.#first.skip(header.length);
    this.#stage = 'hello';
    this.#routeByListener();
    if (this.#stage === 'hello' && this.#first.length > 0) this.#readHello();
  }

  /** The listener alone names the route, unless it is one for SNI. */
  #routeByListener(): void {
    const { kind } = this.listener;
    if (kind === 'tunnel') this.#handOver();
    else if (kind !== 'sni' && kind !== 'single') this.#routeTo(this.#host.byPort(this.listener), 'no-backend');
  }

  #readHello(): void {
    const { bytes, length } = this.#first;
    const foreign = foreignProtocol(bytes, length);
    if (foreign === 'more') return;
    if (foreign === undefined) this.#readTls(bytes, length);
    else this.refuse(foreign);
  }
  #readTls(bytes: Buffer, length: number): void {
    const hello = readClientHello(bytes, Math.min(length, largestHello), this.#progress);
    if (hello.state === 'done') this.#routeByName(hello);
    else if (hello.state === 'bad') this.refuse(refusalOfHello[hello.why]);
    else if (length >= largestHello) this.refuse('hello-too-large');
    // Nearly all come in one piece. For those that do not, no byte shall be looked at twice.
    else this.#progress ??= newHelloProgress();
  }
  #routeByName({ serverName, isAddress }: GoodHello): void {
    this.name = serverName ?? '';
    if (serverName === undefined) this.refuse('no-sni');
    else if (isAddress) this.refuse('ip-as-sni');
    else if (this.#host.isTunnel(this.listener, serverName)) this.#handOver();
    else this.#routeTo(this.#host.bySni(serverName), 'unknown-sni');
  }
  #handOver(): void {
    const head = this.#first.copy();
    this.#settle('gone');
    this.#first.free();
    this.#host.toTunnel(this.wire, head, this.remote, this.listener);
  }
  #routeTo(target: Target | undefined, otherwise: RefusalCode): void {
    if (target === undefined) {
      this.refuse(otherwise);
      return;
    }
    this.target = target;
    this.#settle('dialing');
    this.#connection = this.#host.open(this, (refusal, opened) => this.#opened(refusal, opened));
  }
  #opened(refusal: RefusalCode | undefined, opened: OpenedConnection | undefined): void {
    if (opened === undefined) this.#answer(refusal ?? 'no-backend');
    else this.#forward(opened);
  }
  #forward(opened: OpenedConnection): void {
    this.#stage = 'carried';
    // It may have been paused because it sent so much.
    this.wire.resume();
    opened.carry(this.wire, this.#first, this.#ended);
  }

  refuse(code: RefusalCode): void {
    this.#host.refuse(code, this);
    this.#answer(code);
  }
  #answer(code: RefusalCode): void {
    const answer = answerOf(code);
    this.#settle(answer === undefined ? 'gone' : 'lingering');
    this.#first.free();
    if (answer === undefined) this.wire.destroy(code === 'too-many-half-open');
    else this.#linger(answer);
  }
  #linger(answer: Buffer): void {
    this.#host.startLinger(this);
    this.wire.resume();
    this.wire.write(answer, 0);
    this.wire.end();
  }

  /** Ends the lingering of one that has been answered. */
  close(): void {
    this.wire.destroy();
  }

  #settle(stage: Stage): void {
    if (this.#stage === 'proxy' || this.#stage === 'hello') this.#host.inspected(this);
    this.#stage = stage;
  }

  drained(): void {}
  end(): void {
    this.#ended = true;
    // What is missing will not come any more. And nobody starts TLS and stops talking: that one has gone.
    const needsHello = this.listener.kind === 'sni' || this.listener.kind === 'single';
    if (this.#stage === 'proxy' || this.#stage === 'hello' || (this.#stage === 'dialing' && needsHello))
      this.wire.destroy();
  }
  closed(): void {
    const stage = this.#stage;
    this.#settle('gone');
    if (stage === 'lingering') this.#host.endLinger(this);
    if (stage === 'dialing' || stage === 'carried') this.#connection?.abandon();
    if (stage !== 'carried') this.#first.free();
  }
}

// What is not TLS on a TLS listener: a request of plain HTTP gets an answer, the rest gets none.

const tlsHandshake = 0x16;
const methods = ['GET ', 'HEAD', 'POST', 'PUT ', 'PATC', 'DELE', 'OPTI', 'CONN', 'TRAC', 'PRI '];
const requests: ReadonlySet<number> = new Set(methods.map((method) => Buffer.from(method).readUInt32BE()));

/** Nothing for what may become TLS; 'more' where the first byte alone does not tell. */
export function foreignProtocol(bytes: Buffer, length: number): RefusalCode | 'more' | undefined {
  const first = bytes[0] ?? 0;
  if (first === tlsHandshake) return undefined;
  if (first < 0x41 || first > 0x5a) return 'not-tls';
  if (length < 4) return 'more';
  return requests.has(bytes.readUInt32BE(0)) ? 'plain-http' : 'not-tls';
}
