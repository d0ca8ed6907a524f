// Figures of one worker, put together when somebody asks.
import { hostPort } from '../../core/host-port.ts';
import type { Endpoint } from '../../net/wire/index.ts';
import type { ConnectionView, ListenerKind } from '../engine.ts';
import type { Service } from '../snapshot/snapshot.ts';
import type { ClusterState, RefusalCounts, ServiceCounters, ServiceState } from './clusters.ts';
import type { Connection } from './connection.ts';

export interface GatewayCounters {
  /** Only clusters that something happened to. */
  readonly clusters: Readonly<Record<string, Readonly<Record<Service, ServiceCounters>>>>;
  /** Refused before a cluster was known. */
  readonly refusals: Readonly<Partial<Record<ListenerKind, RefusalCounts>>>;
  /** Clients that have not said yet what they want. */
  readonly halfOpen: number;
  /** Bytes that wait for readers who do not take them. */
  readonly held: number;
  readonly open: number;
}

export function clusterCounters(
  states: Iterable<ClusterState>,
  active: readonly Connection[],
): GatewayCounters['clusters'] {
  const sums = new Map<ServiceState, [sent: number, received: number]>();
  for (const { service, sent, received } of active) {
    const sum = sums.get(service) ?? [0, 0];
    sums.set(service, [sum[0] + sent, sum[1] + received]);
  }
  const counters: Record<string, Record<Service, ServiceCounters>> = {};
  const of = (state: ServiceState): ServiceCounters => serviceCounters(state, sums.get(state) ?? [0, 0]);
  for (const { entry, apiServer, konnectivity } of states)
    counters[entry.name] = { apiServer: of(apiServer), konnectivity: of(konnectivity) };
  return counters;
}

const serviceCounters = (state: ServiceState, [sent, received]: readonly [number, number]): ServiceCounters => ({
  connections: state.connections,
  open: state.open,
  sent: state.sent + sent,
  received: state.received + received,
  refusals: { ...state.refusals },
});

const text = ({ address, port }: Endpoint): string => (address === '' ? '' : hostPort(address, port));

export const connectionView = (connection: Connection, now: number): ConnectionView => ({
  id: connection.id,
  cluster: connection.cluster.entry.name,
  service: connection.request.target.service,
  listener: connection.request.listener.kind,
  name: connection.request.name,
  ...(connection.request.identity?.node === undefined ? {} : { node: connection.request.identity.node }),
  state: connection.state,
  client: text(connection.request.remote),
  backend: text(connection.upstream),
  sent: connection.sent,
  received: connection.received,
  ageMs: Math.round(now - connection.openedAt),
  quietMs: Math.round(now - connection.quietSince),
});
