// Clusters as rows of a list, and one with its whole path.
import { getOrAdd } from '../../core/collections.ts';
import { memo } from '../../core/memo.ts';
import {
  type ClusterStatus,
  type Hop,
  type PathSegment,
  type PlatformView,
  plannedPaths,
} from '../../platform/index.ts';
import type { ClusterDetail, ClusterRow } from '../schema/clusters.ts';
import { findingsAbout, shownFinding } from './documents.ts';
import { needsOf } from './needs.ts';
import { hopRowOf } from './topology.ts';

export function clusterRow(view: PlatformView, status: ClusterStatus): ClusterRow {
  const endpoint = view.plan?.endpoints[status.name];
  const traffic = view.traffic.get(status.name);
  return {
    ...status,
    datacenter: endpoint?.datacenter ?? '',
    seed: endpoint?.seed ?? '',
    findings: findingsAbout(view.findings, `Cluster/${status.name}`).length,
    ...(traffic === undefined ? {} : { traffic }),
  };
}

/** What a search finds a cluster by. */
export const clusterText = (
  view: PlatformView,
  { name, strategy, endpoint = '', version, ready, phase }: ClusterStatus,
): string => {
  const { datacenter = '', seed = '' } = view.plan?.endpoints[name] ?? {};
  return [name, strategy, endpoint, version, datacenter, seed, ready ? 'ready' : `not ready ${phase}`].join(' ');
};

export function clusterDetail(view: PlatformView, status: ClusterStatus): ClusterDetail {
  const { plan, model } = view;
  const needs = plan === undefined ? noNeeds : needsOf({ plan, model }, status.name);
  const endpoint = plan?.endpoints[status.name];
  const reachability = plan?.proxy.workers[status.name];
  const scopes = [`cluster/${status.name}`, `worker/${status.name}`];
  return {
    ...clusterRow(view, status),
    ...(endpoint === undefined ? {} : { plan: endpoint }),
    hops: hopsOfCluster(view, status.name).map((hop) => hopRowOf(view, hop)),
    ...needs,
    components: scopes.flatMap((scope) => componentsByScope(view.components).get(scope) ?? []),
    ...(reachability === undefined ? {} : { proxy: reachability }),
    problems: findingsAbout(view.findings, `Cluster/${status.name}`).map(shownFinding),
  };
}

const noNeeds = { flows: [], dns: [], certificates: [], addresses: [] };

export const statusByName = memo(
  (clusters: PlatformView['clusters']) => new Map(clusters.map((status) => [status.name, status])),
);
const componentsByScope = memo((components: PlatformView['components']) =>
  Map.groupBy(components, ({ scope }): string => scope),
);

/** Of the hop `agent/shop` it is shop; the hops of a gateway belong to all clusters of its seed. */
export const clusterOfHop = ({ id }: Pick<Hop, 'id'>): string | undefined =>
  id.startsWith('gateway') ? undefined : id.slice(id.indexOf('/') + 1);

const hopsByOwner = memo((hops: PlatformView['hops']) => {
  const owners = new Map<string, Hop[]>();
  for (const hop of hops) getOrAdd(owners, clusterOfHop(hop) ?? hop.to, () => []).push(hop);
  return owners;
});

/** From users through the gateway of its seed to the control plane, then from its workers. */
export function hopsOfCluster({ hops, plan }: PlatformView, cluster: string): readonly Hop[] {
  const owners = hopsByOwner(hops);
  const path = plan === undefined ? undefined : plannedPaths(plan).get(cluster);
  // The gateway's own hop is for all clusters of its seed: of it only what this one needs.
  const gateway = path === undefined ? [] : (owners.get(path.users.to) ?? []).map((hop) => narrowed(hop, path.users));
  return [...gateway, ...(owners.get(cluster) ?? [])];
}

const narrowed = ({ address: _, ...hop }: Hop, segment: PathSegment): Hop => ({ ...hop, ...segment });
