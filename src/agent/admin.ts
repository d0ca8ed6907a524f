// The agent's own page: is it alive, does a gateway answer, what has it done.

import { type HostPort, hostPort } from '../core/host-port.ts';
import {
  type AdminAnswer,
  type AdminRoutes,
  exposition,
  expositionType,
  type MetricFamily,
  type Sample,
  single,
} from '../net/index.ts';
import type { GatewayState, TransportState } from '../net/tunnel/index.ts';
import type { Forwarder } from './forwarder.ts';

export interface AdminSubject {
  readonly cluster: string;
  readonly authority: string;
  readonly forwarder: Forwarder;
  readonly state: () => TransportState;
  /** What to do about a problem of a gateway, where that is known. */
  readonly fixFor: (address: HostPort, problem: string) => string | undefined;
  readonly tokenExpires: () => number | undefined;
}

export const adminRoutes = (subject: AdminSubject): AdminRoutes => ({
  'GET /healthz': () => ({ text: 'ok' }),
  'GET /readyz': () => readiness(subject),
  'GET /metrics': () => ({ type: expositionType, text: metricsOf(subject) }),
  'GET /state': () => ({ json: stateOf(subject) }),
});

/** A gateway that answers and does not take our credentials is of no use to anybody. */
export const isUsable = ({ gateways }: TransportState): boolean =>
  gateways.some(({ healthy, problem }) => healthy && problem === undefined);

function readiness({ state, fixFor }: AdminSubject): AdminAnswer {
  const now = state();
  if (isUsable(now)) return { text: 'ok' };
  const lines = now.gateways.map(({ address, problem = 'not connected yet' }) => {
    const fix = fixFor(address, problem);
    return `${hostPort(address.host, address.port)}: ${problem}${fix === undefined ? '' : `\n  fix: ${fix}`}`;
  });
  return { status: 503, text: `no gateway takes connections\n${lines.join('\n')}` };
}

function metricsOf({ forwarder, state, tokenExpires }: AdminSubject): string {
  const transport = state();
  return metricsText({ forwarder, transport, ready: isUsable(transport), tokenExpires: tokenExpires() });
}

function stateOf({ cluster, authority, forwarder, state, tokenExpires }: AdminSubject): object {
  const { accepted, open, waiting, failed } = forwarder.counters;
  return {
    cluster,
    authority,
    ...state(),
    connections: { accepted, open, waiting, failed: Object.fromEntries(failed), bytes: forwarder.bytes() },
    tokenExpires: tokenExpires(),
  };
}

// The agent's figures in Prometheus' text format.

export interface Figures {
  readonly ready: boolean;
  readonly transport: TransportState;
  readonly forwarder: Pick<Forwarder, 'counters' | 'bytes'>;
  /** Seconds since 1970. */
  readonly tokenExpires: number | undefined;
}

export const metricsText = (figures: Figures): string =>
  exposition([...ofConnections(figures), ...ofGateways(figures.transport), ...ofToken(figures)]);

const family = (name: string, type: MetricFamily['type'], help: string, samples: readonly Sample[]): MetricFamily => ({
  name: `causeway_agent_${name}`,
  type,
  help,
  samples,
});

function ofConnections({ forwarder, ready }: Figures): MetricFamily[] {
  const { counters } = forwarder;
  const { sent, received } = forwarder.bytes();
  const failed = [...counters.failed].map(([reason, value]) => ({ labels: { reason }, value }));
  return [
    family('ready', 'gauge', 'Whether a gateway takes connections.', single(ready ? 1 : 0)),
    family('connections_accepted_total', 'counter', 'Connections that came.', single(counters.accepted)),
    family('connections_open', 'gauge', 'Connections that are carried.', single(counters.open)),
    family('connections_waiting', 'gauge', 'Connections that wait for a gateway.', single(counters.waiting)),
    family('connections_failed_total', 'counter', 'Connections that were not carried to their end, by reason.', failed),
    family('bytes_total', 'counter', 'Bytes that were carried.', [
      { labels: { direction: 'to-gateway' }, value: sent },
      { labels: { direction: 'from-gateway' }, value: received },
    ]),
  ];
}

function ofGateways({ gateways }: TransportState): MetricFamily[] {
  const each = (value: (gateway: GatewayState) => number | undefined): Sample[] =>
    gateways.flatMap((gateway) => {
      const labels = { gateway: hostPort(gateway.address.host, gateway.address.port) };
      const found = value(gateway);
      return found === undefined ? [] : [{ labels, value: found }];
    });
  return [
    family(
      'gateway_healthy',
      'gauge',
      'Whether this gateway answers.',
      each(({ healthy }) => (healthy ? 1 : 0)),
    ),
    family(
      'gateway_connections',
      'gauge',
      'Trunks or HTTP/2 sessions.',
      each(({ connections }) => connections),
    ),
    family(
      'gateway_carried',
      'gauge',
      'Connections carried by this gateway.',
      each(({ carried }) => carried),
    ),
    family(
      'gateway_ping_seconds',
      'gauge',
      'Round trip of the last ping.',
      each(({ pingMs }) => (pingMs === undefined ? undefined : pingMs / 1000)),
    ),
  ];
}

const ofToken = ({ tokenExpires }: Figures): MetricFamily[] =>
  tokenExpires === undefined
    ? []
    : [family('token_expiry_timestamp_seconds', 'gauge', 'When the token expires.', single(tokenExpires))];
