// The platform as a graph: who talks with whom, and whether that works.
import { z } from '@hono/zod-openapi';
import { clusterName, list } from './common.ts';
import { hop } from './hops.ts';

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
