// A trunk at the gateway: each request is judged, dialled, and carried.
import { TrunkServer, type TrunkServerEvents, type TrunkWire } from '../../../net/tunnel/trunk/index.ts';
import type { Wire } from '../../../net/wire/index.ts';
import { type RefusalCode, refusals } from '../../refusals.ts';
import type { Target } from '../../snapshot/cluster-entry.ts';
import type { OpenedConnection, OpenRequest } from '../interfaces.ts';
import { closeDelayMs, RequestLimiter } from './request-limiter.ts';
import { ofOneTunnel, ResetLimiter } from './reset-limiter.ts';
import type { Tunnel, TunnelContext, TunnelPeer } from './tunnel.ts';

/** Ticks without a sound after which the agent is asked whether it is there, and after which it is not. */
const askAfter = 6;
const goneAfter = 9;
/** For what is on its way when an unauthenticated tunnel expires. */
const lastRequestsMs = 1000;

export class TrunkTunnel implements Tunnel, TrunkServerEvents {
  readonly #trunk: TrunkServer;
  readonly peer: TunnelPeer;
  readonly #context: TunnelContext;
  /** Requests whose backend is being dialled. */
  readonly #opening = new Map<TrunkWire, OpenedConnection | undefined>();
  readonly #resets: ResetLimiter;
  readonly #requests: RequestLimiter;
  /** Shown good credentials at least once. */
  #authenticated = false;
  wasRefused = false;
  #silentTicks = 0;

  constructor(wire: Wire, peer: TunnelPeer, context: TunnelContext) {
    this.peer = peer;
    this.#context = context;
    this.#resets = new ResetLimiter(ofOneTunnel, context.clock, context.resets);
    this.#requests = new RequestLimiter(context.clock);
    this.#trunk = new TrunkServer(wire, this);
  }
  start(head: Buffer): void {
    this.#trunk.start(head);
  }

  greeted(trunk: TrunkServer): void {
    const refusal = this.#context.authenticator.authenticate(this.peer, trunk.credentials);
    if (refusal === undefined) {
      this.#setAuthenticated();
      trunk.greet();
      return;
    }
    this.wasRefused = true;
    this.#count(refusal, '');
    trunk.greet({ code: refusal, sentence: refusals[refusal].sentence });
    this.#limitRefusals();
  }

  #setAuthenticated(): void {
    if (this.#authenticated) return;
    this.#authenticated = true;
    this.#requests.setAuthenticated();
    this.#context.authenticated(this);
  }

  open(trunk: TrunkServer, stream: TrunkWire, authority: string): void {
    const target = this.#judge(trunk, authority);
    if (this.#context.authenticator.provesAuthenticated(target)) this.#setAuthenticated();
    else this.wasRefused = true;
    if (typeof target !== 'string') this.#dial(stream, authority, target);
    else {
      this.#count(target, authority);
      this.#refuse(stream, target);
      this.#limitRefusals();
    }
  }
  #limitRefusals(): void {
    if (this.#requests.takeRefusal()) return;
    this.#count('too-many-refusals', '');
    this.#trunk.shutOut();
    this.#context.closeLater(this, closeDelayMs());
  }
  #judge(trunk: TrunkServer, authority: string): Target | RefusalCode {
    if (trunk.carried > this.#context.streamsPerSession) return 'too-many-streams';
    if (!this.#requests.takeOpen()) return 'too-many-opens';
    return this.#context.authenticator.admit(this.peer, authority, trunk.credentials);
  }
  #count(code: RefusalCode, name: string): void {
    const { listener, remote } = this.peer;
    this.#context.host.refuse(code, { listener, remote, name });
  }
  #refuse(stream: TrunkWire, code: RefusalCode): void {
    this.#opening.delete(stream);
    this.#trunk.refuse(stream, code, refusals[code].sentence);
  }

  #dial(stream: TrunkWire, name: string, target: Target): void {
    const { listener, remote, local } = this.peer;
    const request: OpenRequest = { listener, name, target, remote, local };
    let answered = false;
    const opening = this.#context.host.open(request, (refusal, opened) => {
      answered = true;
      if (opened === undefined) this.#refuse(stream, refusal ?? 'no-backend');
      else this.#carry(stream, opened);
    });
    if (!answered && !stream.over) this.#opening.set(stream, opening);
  }
  #carry(stream: TrunkWire, opened: OpenedConnection): void {
    this.#opening.delete(stream);
    if (stream.over) opened.abandon();
    else {
      this.#trunk.accept(stream);
      opened.carry(stream);
    }
  }

  freed(_trunk: TrunkServer, stream: TrunkWire): void {
    const opening = this.#opening.get(stream);
    if (opening === undefined) return;
    // Taken back before it was carried: agents do that now and then, a flood does nothing else.
    this.#opening.delete(stream);
    opening.abandon();
    if (this.#resets.spend()) return;
    this.#count('too-many-resets', '');
    this.close();
  }
  shed(): void {
    this.#count('too-much-unread', '');
  }
  lost(): void {
    for (const opening of this.#opening.values()) opening?.abandon();
    this.#opening.clear();
    this.#context.ended(this);
  }

  tick(): void {
    if (this.#trunk.heard) this.#silentTicks = 0;
    else this.#silentTicks += 1;
    this.#trunk.heard = false;
    if (this.#silentTicks >= goneAfter) this.close();
    else if (this.#silentTicks === askAfter) this.#trunk.ping();
  }
  drain(): void {
    this.#trunk.drain();
  }
  expire(): void {
    this.drain();
    setTimeout(() => this.#authenticated || this.close(), lastRequestsMs).unref();
  }
  close(): void {
    this.#trunk.close();
  }
}
