// The agent's figures in Prometheus' text format.
import { exposition, type MetricFamily, type Sample, single } from '../net/exposition.ts';
import { hostPort } from '../net/host-port.ts';
import type { GatewayState, TransportState } from '../net/tunnel/transport.ts';
import type { Carrier } from './carrier.ts';

export interface Figures {
  readonly ready: boolean;
  readonly transport: TransportState;
  readonly carrier: Pick<Carrier, 'counters' | 'bytes'>;
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

function ofConnections({ carrier, ready }: Figures): MetricFamily[] {
  const { counters } = carrier;
  const { sent, received } = carrier.bytes();
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
