// Where everything stands: connections run from left to right, nodes of a kind stand in one column, and a seed is a frame
// around what runs in it. Lines go around nodes, and each has room for its label.
import { Graph, layout } from '@dagrejs/dagre';
import type { TopologyNode } from '../../api/types.ts';
import type { DrawnNode } from './crowds.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Line {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** How wide its label may become. */
  readonly labelWidth: number;
}

export interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  /** Per line: the points it goes through, and the middle of its label. */
  readonly routes: ReadonlyMap<string, { readonly points: readonly Point[]; readonly label: Point }>;
}

const card = { width: 222, height: 66 };
/** Room for the title of a frame. */
const frameTitle = 30;

const column: Record<Exclude<TopologyNode['kind'], 'seed'>, number> = {
  users: 0,
  workers: 0,
  proxy: 1,
  gateway: 2,
  cluster: 3,
};

export function layoutOf(nodes: readonly DrawnNode[], lines: readonly Line[]): Layout {
  const crowds = new Set(nodes.flatMap(({ id, members }) => (members === undefined ? [] : [id])));
  const outside = nodes.filter(({ parent }) => parent === undefined || !crowds.has(parent));
  const shown = outside.filter((node) => node.kind !== 'seed' || outside.some(({ parent }) => parent === node.id));
  const drawn = spacedLines(shown, lines);
  const graph = laidOut(shown, drawn);
  const boxes = new Map(shown.map(({ id, kind }) => [id, boxOf(graph.node(id) as unknown as Box, kind === 'seed')]));
  const routes = drawn.map((line) => [line.id, routeOf(graph, line, boxes)] as const);
  return { boxes: new Map([...boxes, ...crowdBoxes(nodes, boxes)]), routes: new Map(routes) };
}

const gap = 12;
const mostRows = 12;
const columnsOf = (members: number): number => Math.max(2, Math.ceil(members / mostRows));

/** A frame is as large as the grid of its cards. */
function sizeOf({ members }: DrawnNode): { width: number; height: number } {
  if (members === undefined) return { ...card };
  const columns = columnsOf(members);
  return {
    width: columns * (card.width + gap) + gap,
    height: Math.ceil(members / columns) * (card.height + gap) + gap + frameTitle,
  };
}

/** Row by row. */
function crowdBoxes(nodes: readonly DrawnNode[], boxes: ReadonlyMap<string, Box>): [string, Box][] {
  return nodes.flatMap(({ id: crowd, members = 0 }) => {
    const [frame, columns] = [boxes.get(crowd), columnsOf(members)];
    if (members === 0 || frame === undefined) return [];
    const inside = nodes.filter(({ parent }) => parent === crowd);
    return inside.map(({ id }, at): [string, Box] => {
      const x = frame.x + gap + (at % columns) * (card.width + gap);
      const y = frame.y + gap + frameTitle + Math.floor(at / columns) * (card.height + gap);
      return [id, { x, y, ...card }];
    });
  });
}

type SpacedLine = Line & { readonly minlen: number };

function laidOut(nodes: readonly DrawnNode[], lines: readonly SpacedLine[]): Graph {
  const graph = new Graph({ compound: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 20, edgesep: 14, ranksep: 18 });
  for (const node of nodes) graph.setNode(node.id, node.kind === 'seed' ? {} : sizeOf(node));
  for (const { id, parent } of nodes) if (parent !== undefined && graph.hasNode(parent)) graph.setParent(id, parent);
  for (const { from, to, labelWidth, minlen } of lines)
    graph.setEdge(from, to, { width: labelWidth, height: 26, labelpos: 'c', minlen });
  layout(graph);
  return graph;
}

/** Two columns apart where a third one stands between; a line from or to nowhere is left out. */
function spacedLines(nodes: readonly TopologyNode[], lines: readonly Line[]): readonly SpacedLine[] {
  const used = [...new Set(nodes.flatMap(({ kind }) => (kind === 'seed' ? [] : [column[kind]])))].sort();
  const columns = new Map(nodes.map(({ id, kind }) => [id, kind === 'seed' ? 0 : used.indexOf(column[kind])]));
  return lines.flatMap((line) => {
    const [first, last] = [columns.get(line.from), columns.get(line.to)];
    return first === undefined || last === undefined ? [] : [{ ...line, minlen: Math.max(1, last - first) }];
  });
}

/** The layout tells centres, the picture wants corners. */
function boxOf({ x, y, width, height }: Box, isFrame: boolean): Box {
  const box = { x: x - width / 2, y: y - height / 2, width, height };
  return isFrame ? { ...box, y: box.y - frameTitle, height: box.height + frameTitle } : box;
}

/** From the middle of the right side to the middle of the left side, and level past the columns between. */
function routeOf(graph: Graph, { from, to }: Line, boxes: ReadonlyMap<string, Box>) {
  const { points: found, x, y } = graph.edge(from, to) as unknown as { points: readonly Point[] } & Point;
  const [start, end] = [boxes.get(from), boxes.get(to)] as [Box, Box];
  const first = { x: start.x + start.width, y: start.y + start.height / 2 };
  const last = { x: end.x, y: end.y + end.height / 2 };
  const between = [...new Set([...boxes.values()].filter(({ width }) => width === card.width).map((box) => box.x))]
    .filter((left) => left > first.x && left + card.width < last.x)
    .sort((a, b) => a - b);
  const past = between.flatMap((left) => {
    const level = heightAt(found, left + card.width / 2);
    return [left, left + card.width].map((edge) => ({ x: edge, y: level }));
  });
  return { points: [first, ...(past.length === 0 ? [{ x, y }] : past), last], label: { x, y } };
}

/** Where a way through these points is at x. */
function heightAt(points: readonly Point[], x: number): number {
  const next = points.findIndex((point) => point.x >= x);
  const [a, b] = [points[next - 1] ?? points[0], points[next] ?? points.at(-1)] as [Point, Point];
  return a.x === b.x ? b.y : a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
}

/** A smooth line through points, level at each of them. */
export function pathThrough([start, ...rest]: readonly Point[]): string {
  if (start === undefined) return '';
  const curves = rest.map((to, at) => {
    const from = rest[at - 1] ?? start;
    const middle = (from.x + to.x) / 2;
    return `C ${middle},${from.y} ${middle},${to.y} ${to.x},${to.y}`;
  });
  return [`M ${start.x},${start.y}`, ...curves].join(' ');
}
