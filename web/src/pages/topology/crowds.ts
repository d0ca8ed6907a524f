// A line to each of very many datacenters cannot be followed: their cards stand side by side in a frame, and one line
// leads to the frame.
import type { Topology, TopologyEdge, TopologyNode } from '../../api/types.ts';
import { count } from '../../components/units.ts';

export interface DrawnNode extends TopologyNode {
  /** It is a frame around so many cards. */
  readonly members?: number;
}

export interface Drawing {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly TopologyEdge[];
}

/** So many of a seed still have a line each. */
const mostLines = 8;

export function withCrowds({ nodes, edges }: Topology): Drawing {
  const crowds = crowdsOf(nodes);
  if (crowds.length === 0) return { nodes, edges };
  const crowdOf = new Map(crowds.flatMap(({ frame, members }) => members.map(({ id }) => [id, frame.id])));
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  return {
    nodes: [
      ...nodes.map((node) => ({ ...node, ...parentOf(crowdOf.get(node.id) ?? node.parent) })),
      ...crowds.map(({ frame }) => frame),
    ],
    edges: edges.map((edge) => joined(edge, crowdOf, titles)),
  };
}

const parentOf = (parent: string | undefined): { parent?: string } => (parent === undefined ? {} : { parent });

/** What stands for a datacenter, by kind and by the seed that the datacenter belongs to. */
function crowdsOf(nodes: readonly TopologyNode[]): { frame: DrawnNode; members: readonly TopologyNode[] }[] {
  const seeds = new Map(
    nodes.flatMap(({ kind, datacenter, parent }) => (kind === 'cluster' ? [[datacenter, parent]] : [])),
  );
  const many = nodes.filter(({ count: stands }) => stands !== undefined);
  const groups = [...Map.groupBy(many, ({ kind, datacenter }) => `${kind} ${seeds.get(datacenter)}`).values()];
  return groups
    .filter((members) => members.length > mostLines)
    .map((members) => ({ frame: frameOf(members, seeds.get(members[0]?.datacenter)), members }));
}

function frameOf(members: readonly TopologyNode[], seed: string | undefined): DrawnNode {
  const kind = members[0]?.kind ?? 'cluster';
  const where = count(members.length, 'datacenter');
  return {
    id: `crowd/${kind}/${seed}`,
    kind,
    title: kind === 'workers' ? `Workers in ${where}` : `Clusters of ${where}`,
    members: members.length,
    ...(kind === 'cluster' ? parentOf(seed) : {}),
  };
}

/** From or to the frame; in words it still says whose it is. */
function joined(
  edge: TopologyEdge,
  crowdOf: ReadonlyMap<string, string>,
  titles: ReadonlyMap<string, string>,
): TopologyEdge {
  const member = [edge.from, edge.to].find((id) => crowdOf.has(id));
  if (member === undefined) return edge;
  const [from, to] = [edge.from, edge.to].map((id) => crowdOf.get(id) ?? id) as [string, string];
  return { ...edge, from, to, title: `${titles.get(member) ?? member}: ${edge.title}` };
}
