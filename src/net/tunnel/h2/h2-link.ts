// HTTP/2 sessions to one gateway: for peers that do not know trunks.
import type { HostPort } from '../../../core/host-port.ts';
import type { Wire } from '../../wire/wire.ts';
import { hungUp, TunnelBroken } from '../errors.ts';
import { Keepalive } from '../keepalive.ts';
import { type Link, LinkDial, type LinkHost } from '../link.ts';
import type { GatewayState } from '../transport.ts';
import { H2Session, type H2SessionEvents } from './h2-session.ts';

type Waiting = (error: Error | undefined) => void;

export class H2Link implements Link, H2SessionEvents {
  readonly #host: LinkHost;
  readonly #dial: LinkDial;
  readonly #keepalive: Keepalive;
  readonly #sessions = new Set<H2Session>();
  readonly #waiting = new Map<H2Session, Waiting>();
  /** A peer that closes before it tells its settings speaks something else. */
  readonly #notH2: (() => void) | undefined;
  #settledOnce = false;
  #now = 0;

  constructor(address: HostPort, host: LinkHost, notH2?: () => void) {
    this.#host = host;
    this.#notH2 = notH2;
    this.#dial = new LinkDial(address, host);
    this.#keepalive = new Keepalive(host, {
      connect: () =>
        this.connect((error) => (error === undefined ? this.#keepalive.alive() : this.#keepalive.failed(error))),
      ping: () => this.#ping(),
      dead: () => this.#dead(new TunnelBroken('ETIMEDOUT', 'The gateway does not answer any more.')),
    });
  }

  get state(): GatewayState {
    let carried = 0;
    for (const session of this.#sessions) carried += session.streams;
    return {
      address: this.#dial.address,
      protocol: this.#settledOnce ? 'h2' : undefined,
      healthy: this.#keepalive.healthy,
      connections: this.#sessions.size,
      carried,
      pingMs: this.#keepalive.pingMs,
      problem: this.#keepalive.healthy ? undefined : this.#dial.problem,
    };
  }

  /** From the session with the fewest streams. */
  take(authority: string): Wire | undefined {
    let best: H2Session | undefined;
    for (const session of this.#sessions) {
      if (session.hasRoom && (best === undefined || session.streams < best.streams)) best = session;
    }
    return best?.open(authority, this.#host.credentials());
  }

  connect(done: Waiting): void {
    this.#dial.begin((error, connection) => {
      if (connection === undefined) {
        done(error);
        return;
      }
      const session = new H2Session(connection.wire, this);
      session.since = this.#now;
      this.#sessions.add(session);
      this.#waiting.set(session, done);
    });
  }

  settled(session: H2Session): void {
    this.#settledOnce = true;
    this.#answer(session, undefined);
  }
  #answer(session: H2Session, error: Error | undefined): void {
    const done = this.#waiting.get(session);
    this.#waiting.delete(session);
    done?.(error);
  }
  room(session: H2Session): void {
    if (session.hasRoom) this.#host.ready();
  }
  pong(): void {
    this.#keepalive.pong();
  }
  lost(session: H2Session, error: Error | undefined): void {
    if (!this.#sessions.delete(session)) return;
    if (!session.settled) this.#neverSettled(error);
    this.#answer(session, error ?? new TunnelBroken('ECONNRESET', 'The gateway closed the connection.'));
    if (this.#sessions.size === 0) this.#keepalive.lost();
  }

  #neverSettled(error: Error | undefined): void {
    this.#dial.problem = error?.message ?? hungUp;
    if (!this.#settledOnce) this.#notH2?.();
  }

  /** All of them: each may go through another worker, or another path. */
  #ping(): void {
    const most = Math.ceil(this.#host.timing.pingTimeoutMs / this.#host.timing.pingEveryMs) + 1;
    for (const session of this.#sessions) {
      if (session.unanswered >= most) session.close(new TunnelBroken('ETIMEDOUT', 'The gateway does not answer.'));
      else session.ping();
    }
  }
  #dead(error: Error): void {
    this.#dial.abandon(error);
    for (const session of [...this.#sessions]) {
      this.#sessions.delete(session);
      session.close(error);
      this.#answer(session, error);
    }
  }

  tick(now: number): void {
    this.#now = now;
    this.#keepalive.tick(now);
    for (const session of this.#sessions) {
      if (session.settled || now - session.since < this.#host.timing.answerMs) continue;
      session.close(new TunnelBroken('ETIMEDOUT', 'The gateway does not speak HTTP/2.'));
    }
  }
  close(): void {
    this.#keepalive.close();
    this.#dead(new TunnelBroken('ECONNRESET', 'The tunnel was closed.'));
  }
}
