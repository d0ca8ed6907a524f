// Thousands of clusters as a graph that can be looked at: clusters and workers of a datacenter are one node each.
import { getOrAdd } from '../../core/collections.ts';
import type { ClusterStatus, Hop, PlatformView, Traffic } from '../../platform/index.ts';
import type { Topology, TopologyEdge, TopologyNode } from '../schema/topology.ts';
import { gatewayNode, healthOf, healthOfMany, hopRowOf, nodeOf, seedNode } from './topology.ts';

interface Group {
  readonly from: string;
  readonly to: string;
  readonly hops: Hop[];
}

export function aggregated(view: PlatformView): Topology {
  const groups = new Map<string, Group>();
  const groupOf = grouping(view);
  for (const hop of view.hops) {
    const [from, to] = [groupOf(hop.from), groupOf(hop.to)];
    getOrAdd(groups, `${from} ${to}`, () => ({ from, to, hops: [] })).hops.push(hop);
  }
  const edges = [...groups.values()].map((group) => edgeOfMany(view, group));
  return { nodes: [...fixedNodes(view, edges), ...datacenterNodes(view, edges)], edges, aggregated: true };
}

/** A cluster or its workers stand for their datacenter. */
function grouping({ plan }: PlatformView): (id: string) => string {
  const endpoints = plan?.endpoints ?? {};
  return (id) => {
    const kind = id.startsWith('cluster/') ? 'cluster' : id.startsWith('workers/') ? 'workers' : undefined;
    return kind === undefined ? id : `${kind}-of/${endpoints[id.slice(kind.length + 1)]?.datacenter ?? ''}`;
  };
}

function fixedNodes(view: PlatformView, edges: readonly TopologyEdge[]): TopologyNode[] {
  const seeds = Object.keys(view.plan?.gateway ?? {});
  const proxies = edges.flatMap(({ to }) => (to.startsWith('proxy/') ? [to] : []));
  return [
    nodeOf(view, 'users', []),
    ...seeds.flatMap((seed) => [seedNode(seed), gatewayNode(seed, view.hops)]),
    ...[...new Set(proxies)].map((id) => nodeOf(view, id, view.hops)),
  ];
}

function datacenterNodes(view: PlatformView, edges: readonly TopologyEdge[]): TopologyNode[] {
  const datacenterOf = ({ name }: ClusterStatus): string => view.plan?.endpoints[name]?.datacenter ?? '';
  return [...Map.groupBy(view.clusters, datacenterOf)].flatMap(([datacenter, clusters]) => {
    const ready = clusters.filter((status) => status.ready).length;
    const seed = view.plan?.endpoints[clusters[0]?.name ?? '']?.seed;
    const common = { datacenter, count: clusters.length };
    const id = `workers-of/${datacenter}`;
    return [
      {
        ...common,
        id: `cluster-of/${datacenter}`,
        kind: 'cluster',
        title: datacenter,
        subtitle: `${ready} of ${clusters.length} clusters ready`,
        ...healthOfMany(clusters),
        ...(seed === undefined ? {} : { parent: `seed/${seed}` }),
      },
      {
        ...common,
        id,
        kind: 'workers',
        title: `Workers in ${datacenter}`,
        ...healthOf(edges.filter(({ from }) => from === id)),
      },
    ] satisfies TopologyNode[];
  });
}

/** The first broken one speaks for all; figures are summed. */
function edgeOfMany(view: PlatformView, { from, to, hops }: Group): TopologyEdge {
  const broken = hops.filter(({ healthy }) => healthy === false);
  const starting = hops.filter((hop) => hop.starting);
  const [first] = [broken, starting, hops].find((some) => some.length > 0) ?? [];
  const {
    traffic: _,
    healthy: _healthy,
    starting: _starting,
    address: _address,
    seenFrom: _seenFrom,
    ...shown
  } = hopRowOf(view, {
    ...(first as Hop),
    ports: hops.flatMap(({ ports }) => ports),
    flows: [...new Set(hops.flatMap(({ flows }) => flows))],
  });
  const [address, ...others] = new Set(hops.map((hop) => hop.address));
  const seenFrom = [...new Set(hops.flatMap((hop) => hop.seenFrom ?? []))].join(', ');
  const traffic = sumOf(hops.flatMap((hop) => hop.traffic ?? []));
  return {
    ...shown,
    id: `${from} ${to}`,
    from,
    to,
    title: hops.length === 1 ? shown.title : `${hops.length} connections`,
    count: hops.length,
    ...(address === undefined || others.length > 0 ? {} : { address }),
    ...(seenFrom === '' ? {} : { seenFrom }),
    ...healthOf(hops),
    ...(broken.length > 0
      ? { why: `${broken.length} of ${hops.length} fail; one because ${shown.why ?? 'of nothing known'}` }
      : {}),
    ...(traffic === undefined ? {} : { traffic }),
  };
}

function sumOf(figures: readonly Traffic[]): Traffic | undefined {
  if (figures.length === 0) return undefined;
  const sum = { ...noTraffic };
  for (const each of figures) for (const figure of figureNames) sum[figure] += each[figure];
  return sum;
}

const noTraffic: Record<keyof Traffic, number> = { open: 0, accepted: 0, refused: 0, bytesIn: 0, bytesOut: 0 };
const figureNames = Object.keys(noTraffic) as (keyof Traffic)[];
