// Edges of the topology: hops, with what the plan says about the connection.
import type { Flow, Plan } from '../../plan/schema/index.ts';
import type { Hop, PlatformView } from '../../up/view.ts';
import type { TopologyEdge } from '../schema/topology.ts';
import { clusterOfHop } from './clusters.ts';
import { flowsOfCluster } from './needs.ts';
import { flowRowOf, openedBy } from './network.ts';

export function edgeOf({ plan, model }: PlatformView, hop: Hop): TopologyEdge {
  const flow = plan === undefined ? undefined : flowOf(plan, hop);
  return plan === undefined || flow === undefined
    ? hop
    : { ...hop, flow: { ...flowRowOf(plan, flow), ...openedBy(model) } };
}

/** The flow of its catalogue row; of several the one that begins where the hop does. */
function flowOf(plan: Plan, hop: Hop): Flow | undefined {
  if (hop.requirement === undefined) return undefined;
  const cluster = clusterOfHop(hop);
  const flows = cluster === undefined ? plan.flows : flowsOfCluster(plan, cluster);
  const rows = flows.filter(({ requirement }) => requirement === hop.requirement);
  return rows.find(({ from }) => begins(plan, from, hop)) ?? rows[0];
}

function begins(plan: Plan, place: string, { from }: Hop): boolean {
  if (!from.startsWith('workers/')) return place === from;
  const endpoint = plan.endpoints[from.slice('workers/'.length)];
  return endpoint !== undefined && place === `datacenter/${endpoint.datacenter}/workers`;
}
