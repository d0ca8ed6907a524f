// Where each node stands: connections run from left to right, and nodes of a kind stand in one column.
import { Graph, layout } from '@dagrejs/dagre';
import type { TopologyNode } from '../../api/types.ts';

export const nodeWidth = 216;
export const nodeHeight = 60;

const column: Record<TopologyNode['kind'], number> = {
  users: 0,
  workers: 0,
  proxy: 1,
  gateway: 2,
  seed: 3,
  cluster: 3,
};

export interface Position {
  readonly x: number;
  readonly y: number;
}

export function positionsOf(
  nodes: readonly TopologyNode[],
  lines: readonly { readonly from: string; readonly to: string }[],
): ReadonlyMap<string, Position> {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 96 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: nodeWidth, height: nodeHeight });
  const columns = columnsOf(nodes);
  for (const { from, to } of lines) {
    const [first, last] = [columns.get(from), columns.get(to)];
    if (first === undefined || last === undefined) continue;
    graph.setEdge(from, to, { minlen: Math.max(1, last - first) });
  }
  layout(graph);
  return new Map(nodes.map(({ id }) => [id, cornerOf(graph.node(id) as unknown as Position)]));
}

/** Columns that nobody stands in take no room. */
function columnsOf(nodes: readonly TopologyNode[]): ReadonlyMap<string, number> {
  const used = [...new Set(nodes.map(({ kind }) => column[kind]))].sort();
  return new Map(nodes.map(({ id, kind }) => [id, used.indexOf(column[kind])]));
}

/** Dagre tells centres, the picture wants corners. */
const cornerOf = ({ x, y }: Position): Position => ({ x: x - nodeWidth / 2, y: y - nodeHeight / 2 });
