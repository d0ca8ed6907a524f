// The platform as a graph: who talks with whom, and whether that works.

import { z } from '@hono/zod-openapi';
import { clusterName, list } from './common.ts';
import { flowRow } from './network.ts';
import { traffic } from './status.ts';

// Parts of the way between users or workers and a control plane: what each needs, and whether it works.

export const hop = z
  .object({
    id: z.string().describe('Stable: gateway/SEED, api/shop, agent/shop …'),
    from: z.string().describe('Node of the topology that it begins at.'),
    to: z.string().describe('Node that it ends at.'),
    title: z.string().describe('What it is.'),
    healthy: z.boolean().optional().describe('Whether it works now; absent while nobody knows.'),
    starting: z
      .literal(true)
      .optional()
      .describe('It has not worked yet, and its cluster is starting; healthy is absent then.'),
    seenFrom: z.string().optional().describe('Where that was seen from, in words; absent while nobody knows.'),
    why: z.string().optional().describe('Why it does not.'),
    fix: z.string().optional().describe('What would mend it.'),
    address: z.string().optional().describe('host:port that is dialled; absent where there are several.'),
    ports: list(z.union([z.number(), z.string()])).describe('Ports that it needs, all TCP; ranges as first-last.'),
    flows: list(flowRow).describe(
      'What firewalls must allow for it, and who opens that: perhaps for more ports than it needs itself.',
    ),
    lastWorked: z.number().optional().describe('In milliseconds since 1970; absent: never, as far as is known.'),
    traffic: traffic.optional(),
  })
  .openapi('Hop');
export type HopRow = z.infer<typeof hop>;

export const topologyNode = z
  .object({
    id: z.string().describe('As hops name it.'),
    kind: z.enum(['users', 'seed', 'gateway', 'cluster', 'workers', 'proxy']).describe('What it is.'),
    title: z.string().describe('What to call it.'),
    subtitle: z.string().optional().describe('One more line about it.'),
    healthy: z.boolean().optional().describe('Absent while nobody knows, and while it starts.'),
    starting: z.literal(true).optional().describe('It is starting, and nothing of it fails.'),
    parent: z.string().optional().describe('Node that it stands in: the seed of a gateway or control plane.'),
    cluster: z.string().optional().describe('Cluster that it belongs to.'),
    datacenter: z.string().optional().describe('Datacenter that it belongs to.'),
    count: z.number().optional().describe('How many clusters it stands for, where it is a datacenter.'),
  })
  .openapi('TopologyNode');
export type TopologyNode = z.infer<typeof topologyNode>;

export const topologyEdge = hop
  .extend({
    count: z.number().optional().describe('How many hops it stands for, where there are many.'),
  })
  .openapi('TopologyEdge');
export type TopologyEdge = z.infer<typeof topologyEdge>;

export const topology = z
  .object({
    nodes: list(topologyNode),
    edges: list(topologyEdge),
    aggregated: z.boolean().describe('True: clusters are shown per datacenter, because there are many.'),
  })
  .openapi('Topology');
export type Topology = z.infer<typeof topology>;

export const topologyQuery = z.object({ cluster: clusterName.optional().describe('Only the way of this cluster.') });
