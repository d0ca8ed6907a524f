// Finds out what a gateway speaks. With TLS, ALPN says it. Without, trunks are tried first: a gateway that does not know
// them hangs up on the greeting, and is spoken to in HTTP/2 from then on. One that hangs up on both is asked in turn, and
// less and less often.

import type { HostPort } from '../../core/host-port.ts';
import { type Backoff, createBackoff } from '../../sys/backoff.ts';
import type { Wire } from '../wire/wire.ts';
import { hungUp } from './errors.ts';
import { H2Link } from './h2/h2-link.ts';
import type { Link, LinkHost } from './link.ts';
import type { DialDone, Dialer, GatewayState } from './transport.ts';
import { TrunkLink } from './trunk/trunk-link.ts';

type Waiting = (error: Error | undefined) => void;

export class AutoLink implements Link {
  readonly #address: HostPort;
  readonly #host: LinkHost;
  #link: Link;
  #protocol: 'trunk' | 'h2' = 'trunk';
  #sure = false;
  #waiting: Waiting[] = [];
  readonly #backoff: Backoff;
  /** Since the gateway was last in order. */
  #exchanges = 0;
  /** When the link may begin. */
  #notBefore = 0;

  constructor(address: HostPort, host: LinkHost) {
    this.#address = address;
    this.#backoff = createBackoff(host.timing.againMs, host.timing.againMostMs, host.random);
    this.#host = { ...host, dialer: this.#noticing(host.dialer), changed: () => this.#changed(host) };
    this.#link = this.#make();
  }
  #make(): Link {
    const notThis = (): void => this.#become(this.#protocol === 'trunk' ? 'h2' : 'trunk');
    return this.#protocol === 'trunk'
      ? new TrunkLink(this.#address, this.#host, notThis)
      : new H2Link(this.#address, this.#host, notThis);
  }

  #noticing(dialer: Dialer): Dialer {
    return (address, done) => {
      const asked = this.#protocol;
      return dialer(address, (error, connection) => {
        if (connection?.alpn !== undefined) this.#byName(connection.alpn === 'h2' ? 'h2' : 'trunk');
        this.#pass(asked, done, error, connection);
      });
    };
  }
  /** A connection that settled on the other protocol is not given on: the next attempt is the right one. */
  #pass(asked: 'trunk' | 'h2', done: DialDone, ...[error, connection]: Parameters<DialDone>): void {
    if (connection !== undefined && asked !== this.#protocol) {
      connection.wire.destroy();
      done(new Error(`The gateway speaks ${this.#protocol}.`));
      return;
    }
    done(error, connection);
    if (connection === undefined) this.#settle(error);
  }
  #byName(protocol: 'trunk' | 'h2'): void {
    if (protocol !== this.#protocol) this.#become(protocol);
    this.#sure = true;
    this.#settle(undefined);
  }

  #become(protocol: 'trunk' | 'h2'): void {
    if (this.#protocol === protocol) return;
    this.#protocol = protocol;
    const old = this.#link;
    this.#link = this.#make();
    // Not now: the old link is in the middle of telling us.
    setImmediate(() => old.close());
    this.#begin(performance.now());
  }
  /** The other protocol is tried at once; when that was wrong as well, after a pause that grows. */
  #begin(now: number): void {
    this.#exchanges += 1;
    if (this.#exchanges > 1) {
      this.#notBefore = now + this.#backoff.next();
      this.#settle(new Error(hungUp));
    }
    this.tick(now);
  }
  #changed(host: LinkHost): void {
    if (!this.#sure && this.#link.state.protocol !== undefined) {
      this.#sure = true;
      this.#settle(undefined);
    }
    if (this.#link.state.healthy) {
      this.#exchanges = 0;
      this.#backoff.reset();
    }
    host.changed();
  }
  /** Whoever waited for the protocol to be known goes on, or not. */
  #settle(error: Error | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const done of waiting) {
      if (error === undefined) this.connect(done);
      else done(error);
    }
  }

  get state(): GatewayState {
    const { state } = this.#link;
    return state.healthy || this.#exchanges < 2 ? state : { ...state, problem: state.problem ?? hungUp };
  }
  take(authority: string): Wire | undefined {
    return this.#sure ? this.#link.take(authority) : undefined;
  }
  connect(done: Waiting): void {
    if (!this.#sure) {
      this.#waiting.push(done);
      return;
    }
    const link = this.#link;
    link.connect((error) => {
      // The protocol turned out to be another one in the meantime.
      if (error !== undefined && link !== this.#link) this.#link.connect(done);
      else done(error);
    });
  }
  tick(now: number): void {
    if (now >= this.#notBefore) this.#link.tick(now);
  }
  close(): void {
    this.#link.close();
    this.#settle(new Error('The tunnel was closed.'));
  }
}
