// What the gateway tells Prometheus. The names are documented in docs/guides/gateway.md.
import { type MetricFamily, type Sample, single } from '../../net/exposition.ts';

export interface GatewayFigures {
  readonly series: ReadonlyMap<string, number>;
  readonly version: string;
  readonly rejected: boolean;
  readonly appliedAt: number;
  readonly workersWanted: number;
  readonly workersReady: number;
  readonly workerRestarts: number;
  /** Resident bytes by process: supervisor and workers. */
  readonly memory: readonly { readonly process: string; readonly bytes: number }[];
  readonly listeners: number;
}

export function gatewayFamilies(figures: GatewayFigures): MetricFamily[] {
  return [...trafficFamilies(figures.series), ...stateFamilies(figures)];
}

type Series = readonly [parts: readonly string[], value: number];

function trafficFamilies(series: ReadonlyMap<string, number>): MetricFamily[] {
  const byName = Map.groupBy(
    Array.from(series, ([name, value]): Series => [name.split(' '), value]),
    ([[name]]) => name ?? '',
  );
  const of = (name: string): readonly Series[] => byName.get(name) ?? [];
  const byCluster = (name: string, more = {}): Sample[] =>
    of(name).map(([[, cluster = '', service = ''], value]) => ({ labels: { cluster, service, ...more }, value }));
  return [
    {
      name: 'causeway_gateway_connections_total',
      help: 'Connections that were admitted.',
      type: 'counter',
      samples: byCluster('connections'),
    },
    {
      name: 'causeway_gateway_connections_open',
      help: 'Connections that are open now.',
      type: 'gauge',
      samples: byCluster('open'),
    },
    {
      name: 'causeway_gateway_bytes_total',
      help: 'Bytes carried: sent from clients to backends, received by clients from backends.',
      type: 'counter',
      samples: [...byCluster('sent', { direction: 'sent' }), ...byCluster('received', { direction: 'received' })],
    },
    {
      name: 'causeway_gateway_refusals_total',
      help: 'Connections that were refused, by reason; with the listener where no cluster was known yet.',
      type: 'counter',
      samples: of('refusals').map(refusalSample),
    },
    {
      name: 'causeway_gateway_half_open',
      help: 'Clients that have not said yet which cluster they want.',
      type: 'gauge',
      samples: single(series.get('half-open') ?? 0),
    },
  ];
}

const refusalSample = ([[, cluster = '', service = '', listener = '', reason = ''], value]: Series): Sample => ({
  labels: { reason, ...(cluster === '' ? { listener } : { cluster, service }) },
  value,
});

function stateFamilies(figures: GatewayFigures): MetricFamily[] {
  const gauge = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
    name: `causeway_gateway_${name}`,
    help,
    type: 'gauge',
    samples,
  });
  return [
    gauge('snapshot_info', 'The snapshot in force.', [{ labels: { version: figures.version }, value: 1 }]),
    gauge('snapshot_applied_timestamp_seconds', 'When it came into force.', single(figures.appliedAt / 1000)),
    gauge('snapshot_rejected', '1 while the newest snapshot is refused.', single(figures.rejected ? 1 : 0)),
    gauge('listeners', 'Addresses and ports that are listened on.', single(figures.listeners)),
    gauge('workers', 'Worker processes by state.', [
      { labels: { state: 'wanted' }, value: figures.workersWanted },
      { labels: { state: 'ready' }, value: figures.workersReady },
    ]),
    {
      name: 'causeway_gateway_worker_restarts_total',
      help: 'Workers that ended although nobody told them to.',
      type: 'counter',
      samples: single(figures.workerRestarts),
    },
    gauge(
      'resident_memory_bytes',
      'Memory of each process.',
      figures.memory.map(({ process, bytes }) => ({ labels: { process }, value: bytes })),
    ),
  ];
}
