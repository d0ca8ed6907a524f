// Trunks to one gateway: always a few, so that they end at different workers and a lost packet holds up only a part.
import type { HostPort } from '../../../core/host-port.ts';
import type { Wire } from '../../wire/wire.ts';
import { hungUp, TunnelBroken, type TunnelRefused } from '../errors.ts';
import { Keepalive } from '../keepalive.ts';
import { type Link, LinkDial, type LinkHost } from '../link.ts';
import type { GatewayState } from '../transport.ts';
import { TrunkClient, type TrunkClientEvents } from './trunk-client.ts';

type Waiting = (error: Error | undefined) => void;

/** Trunks to each gateway, also when nothing is carried. */
export const wantedTrunks = 2;

const showAgainMs = 10_000;

export class TrunkLink implements Link, TrunkClientEvents {
  readonly #host: LinkHost;
  readonly #dial: LinkDial;
  readonly #keepalive: Keepalive;
  readonly #trunks = new Set<TrunkClient>();
  /** Whoever waits for a trunk that is being made; one is enough for all of them. */
  #waiting: Waiting[] = [];
  #dialling = 0;
  #now = 0;
  #refusal: TunnelRefused | undefined;
  /** What the gateway was shown last, and when. */
  #shown: string | undefined;
  #shownAt = 0;
  /** A peer that closes instead of answering the first greeting speaks something else. */
  readonly #notATrunk: (() => void) | undefined;
  #greetedOnce = false;

  constructor(address: HostPort, host: LinkHost, notATrunk?: () => void) {
    this.#host = host;
    this.#notATrunk = notATrunk;
    this.#dial = new LinkDial(address, host);
    this.#keepalive = new Keepalive(host, {
      connect: () => this.connect((error) => this.#connected(error)),
      ping: () => this.#ping(),
      dead: () => this.#dead(new TunnelBroken('ETIMEDOUT', 'The gateway does not answer any more.')),
    });
  }
  #connected(error: Error | undefined): void {
    if (error === undefined) this.#keepalive.alive();
    else this.#keepalive.failed(error);
  }

  get state(): GatewayState {
    let carried = 0;
    for (const trunk of this.#trunks) carried += trunk.carried;
    return {
      address: this.#dial.address,
      protocol: this.#greetedOnce ? 'trunk' : undefined,
      healthy: this.#keepalive.healthy,
      connections: this.#trunks.size,
      carried,
      pingMs: this.#keepalive.pingMs,
      problem: this.#keepalive.healthy ? this.#refusal?.message : this.#dial.problem,
    };
  }

  /** From the trunk that carries least. */
  take(authority: string): Wire | undefined {
    let best: TrunkClient | undefined;
    for (const trunk of this.#trunks) {
      if (trunk.hasRoom && (best === undefined || trunk.carried < best.carried)) best = trunk;
    }
    return best?.open(authority, this.#host.credentials());
  }

  connect(done: Waiting): void {
    this.#waiting.push(done);
    if (this.#dialling === 0) this.#begin();
  }
  #begin(): void {
    this.#dialling += 1;
    this.#dial.begin((error, connection) => {
      if (connection === undefined) {
        this.#dialling -= 1;
        this.#answer(error);
        return;
      }
      this.#shown = this.#host.credentials();
      this.#shownAt = this.#now;
      const trunk = new TrunkClient(connection.wire, this.#shown, this);
      trunk.since = this.#now;
      this.#trunks.add(trunk);
    });
  }
  #answer(error: Error | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const done of waiting) done(error);
  }

  // What trunks tell.

  greeted(trunk: TrunkClient, refusal: TunnelRefused | undefined, first: boolean): void {
    if (first) this.#dialling -= 1;
    const changed = this.#refusal?.refusal !== refusal?.refusal || !this.#greetedOnce;
    this.#greetedOnce = true;
    this.#refusal = refusal;
    trunk.since = this.#now;
    this.#answer(undefined);
    if (changed) this.#host.changed();
    this.#host.ready();
  }
  room(trunk: TrunkClient): void {
    if (trunk.hasRoom) this.#host.ready();
  }
  pong(): void {
    this.#keepalive.pong();
  }
  lost(trunk: TrunkClient, error: Error | undefined): void {
    if (!this.#trunks.delete(trunk)) return;
    if (!trunk.greeted) this.#neverGreeted(error);
    if (this.#trunks.size === 0) this.#keepalive.lost();
  }
  #neverGreeted(error: Error | undefined): void {
    this.#dialling -= 1;
    this.#dial.problem = error?.message ?? hungUp;
    if (!this.#greetedOnce) this.#notATrunk?.();
    this.#answer(error ?? new TunnelBroken('ECONNRESET', 'The gateway closed the connection.'));
  }

  /** Credentials that have changed; and now and then those that were refused, for by now they may be good. */
  #showCredentials(): void {
    const credentials = this.#host.credentials();
    const again = this.#refusal !== undefined && this.#now - this.#shownAt >= showAgainMs;
    if (credentials === this.#shown && !again) return;
    this.#shown = credentials;
    this.#shownAt = this.#now;
    for (const trunk of this.#trunks) if (trunk.greeted && !trunk.leaving) trunk.greet(credentials);
  }

  /** All of them: each may go through another worker, or another path. */
  #ping(): void {
    this.#showCredentials();
    const { pingTimeoutMs, pingEveryMs } = this.#host.timing;
    const most = Math.ceil(pingTimeoutMs / pingEveryMs) + 1;
    for (const trunk of this.#trunks) {
      if (trunk.unanswered >= most) trunk.close(new TunnelBroken('ETIMEDOUT', 'The gateway does not answer.'));
      else trunk.ping();
    }
  }
  #dead(error: Error): void {
    this.#dial.abandon(error);
    this.#dialling = 0;
    const trunks = [...this.#trunks];
    this.#trunks.clear();
    for (const trunk of trunks) trunk.close(error);
    this.#answer(error);
  }

  tick(now: number): void {
    this.#now = now;
    this.#keepalive.tick(now);
    if (this.#keepalive.healthy && this.#dialling === 0 && this.#settledTrunks() < wantedTrunks) this.#begin();
    for (const trunk of this.#trunks) {
      if (trunk.greeted || now - trunk.since < this.#host.timing.answerMs) continue;
      trunk.close(new TunnelBroken('ETIMEDOUT', 'The gateway did not answer the greeting.'));
    }
  }
  #settledTrunks(): number {
    let count = 0;
    for (const trunk of this.#trunks) if (!trunk.leaving) count += 1;
    return count;
  }

  close(): void {
    this.#keepalive.close();
    this.#dead(new TunnelBroken('ECONNRESET', 'The tunnel was closed.'));
  }
}
