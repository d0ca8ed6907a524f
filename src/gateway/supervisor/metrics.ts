// What the gateway tells Prometheus. The names are documented in docs/guides/gateway.md.
import { type MetricFamily, type Sample, single } from '../../net/index.ts';
import type { GatewayCounters } from '../dataplane/counters.ts';

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
      name: 'causeway_gateway_failed_accepts_total',
      help: 'Connections that the system did not give, by its code.',
      type: 'counter',
      samples: of('failed-accepts').map(([[, code = ''], value]) => ({ labels: { code }, value })),
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

// One set of figures from many workers. What a worker counted stays counted after it ended, so counters never go back.

/**
 * Series by name: "connections CLUSTER SERVICE", the same for `open`, `sent` and `received`, "half-open",
 * "failed-accepts CODE", and "refusals CLUSTER SERVICE LISTENER REASON". No part has a space in it; what is not known is empty.
 */
export type Counters = Readonly<Record<string, number>>;

const isGauge = (series: string): boolean => series.startsWith('open ') || series === 'half-open';

export class Totals {
  readonly #ended = new Map<string, number>();
  readonly #workers = new Map<object, Map<string, number>>();

  /** Only what changed since this worker's last report. */
  report(worker: object, changed: Counters): void {
    const known = this.#workers.get(worker) ?? new Map<string, number>();
    this.#workers.set(worker, known);
    for (const series in changed) known.set(series, changed[series] ?? 0);
  }

  ended(worker: object): void {
    for (const [series, value] of this.#workers.get(worker) ?? [])
      if (!isGauge(series)) add(this.#ended, series, value);
    this.#workers.delete(worker);
  }

  /** Series of clusters that are gone for good would otherwise pile up for ever. */
  forget(gone: ReadonlySet<string>): void {
    for (const counters of [this.#ended, ...this.#workers.values()])
      for (const series of counters.keys()) if (gone.has(series.split(' ')[1] ?? '')) counters.delete(series);
  }

  sum(): Map<string, number> {
    const sum = new Map(this.#ended);
    for (const counters of this.#workers.values()) for (const [series, value] of counters) add(sum, series, value);
    return sum;
  }

  of(worker: object): ReadonlyMap<string, number> {
    return this.#workers.get(worker) ?? new Map();
  }
}

const add = (counters: Map<string, number>, series: string, value: number): void => {
  counters.set(series, (counters.get(series) ?? 0) + value);
};

// A worker's figures as series that can be added up, and only those that changed since they were last told.

export function seriesOf({ clusters, refusals, halfOpen }: GatewayCounters): Counters {
  const series: Record<string, number> = { 'half-open': halfOpen };
  for (const cluster in clusters)
    for (const [service, counted] of Object.entries(clusters[cluster] ?? {})) {
      const { connections, open, sent, received } = counted;
      series[`connections ${cluster} ${service}`] = connections;
      series[`open ${cluster} ${service}`] = open;
      series[`sent ${cluster} ${service}`] = sent;
      series[`received ${cluster} ${service}`] = received;
      for (const [reason, count] of Object.entries(counted.refusals))
        series[`refusals ${cluster} ${service}  ${reason}`] = count;
    }
  for (const [listener, reasons] of Object.entries(refusals))
    for (const [reason, count] of Object.entries(reasons)) series[`refusals   ${listener} ${reason}`] = count;
  return series;
}

/** Remembers what was told. A series that is new is told even when it is 0. */
export class ChangedSeries {
  #told: Counters = {};

  since(now: Counters): Counters {
    const changed: Record<string, number> = {};
    for (const name in now) if (this.#told[name] !== now[name]) changed[name] = now[name] ?? 0;
    // What is not counted any more is not open any more either.
    for (const name in this.#told) if (name.startsWith('open ') && !(name in now)) changed[name] = 0;
    this.#told = now;
    return changed;
  }
}
