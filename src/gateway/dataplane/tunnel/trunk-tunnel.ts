// A trunk at the gateway: each request is judged, dialled, and carried.
import { TrunkServer, type TrunkServerEvents, type TrunkWire } from '../../../net/tunnel/trunk/index.ts';
import type { Wire } from '../../../net/wire/index.ts';
import { type RefusalCode, refusals } from '../../refusals.ts';
import type { OpenedConnection, OpenRequest } from '../interfaces.ts';
import { type Admission, ownerOf, type TunnelIdentity } from './authenticator.ts';
import { closeDelayMs, RequestLimiter } from './request-limiter.ts';
import { ofOneTunnel, ResetLimiter } from './reset-limiter.ts';
import { type Tunnel, type TunnelContext, TunnelIdentities, type TunnelPeer } from './tunnel.ts';

/** Ticks without a sound after which the agent is asked whether it is there, and after which it is not. */
const askAfter = 6;
const goneAfter = 9;
/** For what is on its way when an unauthenticated tunnel expires. */
const lastRequestsMs = 1000;

export class TrunkTunnel implements Tunnel, TrunkServerEvents {
  readonly #trunk: TrunkServer;
  readonly peer: TunnelPeer;
  readonly identities = new TunnelIdentities();
  readonly #context: TunnelContext;
  /** Requests whose backend is being dialled. */
  readonly #opening = new Map<TrunkWire, OpenedConnection | undefined>();
  readonly #resets: ResetLimiter;
  readonly #requests: RequestLimiter;
  /** Shown good credentials at least once. */
  #authenticated = false;
  /** Its cluster. Where no credentials are asked for, that of the first connection. */
  #owner: string | undefined;
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
    const known = this.#context.authenticator.authenticate(this.peer, trunk.credentials);
    const { refusal, identity } = known;
    if (refusal === undefined) {
      this.identities.add(identity);
      this.#setAuthenticated(known);
      trunk.greet();
      return;
    }
    this.wasRefused = true;
    this.#count(refusal, '', identity);
    trunk.greet({ code: refusal, sentence: refusals[refusal].sentence });
    this.#limitRefusals();
  }

  #setAuthenticated(admission: Parameters<typeof ownerOf>[0]): void {
    if (this.#owner !== undefined) return;
    if (!this.#authenticated) this.#requests.setAuthenticated();
    this.#authenticated = true;
    this.#owner = ownerOf(admission);
    this.#context.authenticated(this, this.#owner);
  }

  open(trunk: TrunkServer, stream: TrunkWire, authority: string): void {
    const admission = this.#judge(trunk, authority);
    const { refusal, target, identity } = admission;
    if (this.#context.authenticator.provesAuthenticated(admission)) this.#setAuthenticated(admission);
    else this.wasRefused = true;
    if (refusal === undefined) {
      // Its token is another one each time it was renewed.
      this.identities.add(identity);
      this.#dial(stream, { name: authority, target, identity });
    } else {
      this.#count(refusal, authority, identity);
      this.#refuse(stream, refusal);
      this.#limitRefusals();
    }
  }
  #limitRefusals(): void {
    if (this.#requests.takeRefusal()) return;
    this.#count('too-many-refusals', '');
    this.#trunk.shutOut();
    this.#context.closeLater(this, closeDelayMs());
  }
  #judge(trunk: TrunkServer, authority: string): Admission {
    if (trunk.carried > this.#context.streamsPerSession) return { refusal: 'too-many-streams' };
    if (!this.#requests.takeOpen()) return { refusal: 'too-many-opens' };
    return this.#context.authenticator.admit(this.peer, authority, trunk.credentials);
  }
  #count(code: RefusalCode, name: string, identity?: TunnelIdentity): void {
    const { listener, remote } = this.peer;
    this.#context.host.refuse(code, { listener, remote, name, identity });
  }
  #refuse(stream: TrunkWire, code: RefusalCode): void {
    this.#opening.delete(stream);
    this.#trunk.refuse(stream, code, refusals[code].sentence);
  }

  #dial(stream: TrunkWire, asked: Pick<OpenRequest, 'name' | 'target' | 'identity'>): void {
    const { listener, remote, local } = this.peer;
    const request: OpenRequest = { listener, ...asked, remote, local };
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
