// How this agent gets to its gateways: what it was told, as a route, and what went wrong last on each.
import { type HostPort, hostPort } from '../core/host-port.ts';
import { parseCredentials } from '../net/index.ts';
import { dialRoute, type Route } from '../net/proxy-dial/index.ts';
import { trustOf } from '../net/tls/index.ts';
import { type DialDone, type Dialer, tunnelProtocols } from '../net/tunnel/index.ts';
import type { Vantage } from '../net/wire/index.ts';
import { FileValue } from '../sys/file-value.ts';
import type { Log } from '../sys/log.ts';
import type { AgentOptions } from './options.ts';

export type RouteTo = (gateway: HostPort) => Route;

/** Reads every file once, so that a missing one is told at the start. */
export function routesOf(options: AgentOptions, log: Log, vantage: Vantage): RouteTo {
  const trusting = trustOf(options, { log });
  if (!options.plaintext) trusting();
  const throughProxy = proxyPart(options, log);
  return (gateway) => ({
    gateway,
    vantage,
    ...throughProxy,
    ...(options.plaintext
      ? {}
      : { tls: { serverName: options.name ?? gateway.host, alpn: tunnelProtocols[options.transport], trusting } }),
  });
}

function proxyPart(options: AgentOptions, log: Log): Pick<Route, 'proxy' | 'proxyTrusting'> {
  const { proxy, proxyCredentialsFile: file, proxyCa: ca } = options;
  if (proxy === undefined) return {};
  const credentials =
    file === undefined ? undefined : new FileValue(file, (text) => parseCredentials(text, file), { log });
  credentials?.get();
  const proxyTrusting = trustOf({ ca }, { log });
  if (proxy.scheme === 'https') proxyTrusting();
  return {
    proxy: () => (credentials === undefined ? proxy : { ...proxy, credentials: credentials.get() }),
    proxyTrusting,
  };
}

export interface WatchedDialer {
  readonly dial: Dialer;
  /** The last failure, if its message is this one: a transport keeps the message only. */
  failureOf(address: HostPort, message: string): Error | undefined;
}

export function watchedDialer(routeTo: RouteTo): WatchedDialer {
  const failures = new Map<string, Error>();
  const dial: Dialer = (address, done) => {
    const off = new AbortController();
    const key = hostPort(address.host, address.port);
    dialRoute(routeTo(address), { signal: off.signal }).then(
      ({ wire, alpn }) => deliver(off.signal, wire, alpn, done),
      (error: Error) => {
        if (off.signal.aborted) return;
        failures.set(key, error);
        done(error);
      },
    );
    return () => off.abort();
  };
  return {
    dial,
    failureOf: ({ host, port }, message) => {
      const failure = failures.get(hostPort(host, port));
      return failure?.message === message ? failure : undefined;
    },
  };
}

type Wire = NonNullable<Parameters<DialDone>[1]>['wire'];

function deliver(signal: AbortSignal, wire: Wire, alpn: string | undefined, done: DialDone): void {
  if (signal.aborted) wire.destroy();
  else done(undefined, alpn === undefined ? { wire } : { wire, alpn });
}
