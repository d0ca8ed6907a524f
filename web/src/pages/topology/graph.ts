// Several hops may lead from one node to another; the picture has one line for them, as healthy as the worst of them.

import { Graph, layout } from '@dagrejs/dagre';
import type { Topology, TopologyEdge, TopologyNode } from '../../api/types.ts';
import { count, rate } from '../../components/format.ts';
import type { HealthState } from '../../components/health.tsx';
import { healthWords } from '../../components/health-words.ts';
import type { Rates } from '../../components/hops/rates.ts';

export interface Bundle {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly hops: readonly TopologyEdge[];
}

const bundleId = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from}→${to}`;

export const bundlesOf = (edges: readonly TopologyEdge[]): readonly Bundle[] =>
  [...Map.groupBy(edges, bundleId)].map(([id, hops]) => ({
    id,
    from: hops[0]?.from ?? '',
    to: hops[0]?.to ?? '',
    hops,
  }));

export function healthOfBundle({ hops }: Bundle): HealthState {
  if (hops.some(({ healthy }) => healthy === false)) return 'bad';
  if (hops.some(({ starting }) => starting)) return 'busy';
  return hops.every(({ healthy }) => healthy === true) ? 'good' : 'idle';
}

/** Bytes per second on all its hops, both ways; undefined where nobody counts. */
export function rateOfBundle({ hops }: Bundle, rates: Rates): number | undefined {
  const paces = hops.flatMap(({ id }) => rates.get(id) ?? []);
  return paces.length === 0 ? undefined : paces.reduce((sum, pace) => sum + pace.in + pace.out, 0);
}

/** All ports that its hops need, and no other. */
export const portsOfBundle = ({ hops }: Bundle): readonly string[] => [
  ...new Set(hops.flatMap(({ ports }) => ports.map(String))),
];

// A line to each of very many datacenters cannot be followed: their cards stand side by side in a frame, and one line
// leads to the frame.

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

export function withGroups({ nodes, edges }: Topology): Drawing {
  const groups = groupsOf(nodes);
  if (groups.length === 0) return { nodes, edges };
  const groupOf = new Map(groups.flatMap(({ frame, members }) => members.map(({ id }) => [id, frame.id])));
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  return {
    nodes: [
      ...nodes.map((node) => ({ ...node, ...parentOf(groupOf.get(node.id) ?? node.parent) })),
      ...groups.map(({ frame }) => frame),
    ],
    edges: edges.map((edge) => joined(edge, groupOf, titles)),
  };
}

const parentOf = (parent: string | undefined): { parent?: string } => (parent === undefined ? {} : { parent });

/** What stands for a datacenter, by kind and by the seed that the datacenter belongs to. */
function groupsOf(nodes: readonly TopologyNode[]): { frame: DrawnNode; members: readonly TopologyNode[] }[] {
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
    id: `group/${kind}/${seed}`,
    kind,
    title: kind === 'workers' ? `Workers in ${where}` : `Clusters of ${where}`,
    members: members.length,
    ...(kind === 'cluster' ? parentOf(seed) : {}),
  };
}

/** From or to the frame; in words it still says whose it is. */
function joined(
  edge: TopologyEdge,
  groupOf: ReadonlyMap<string, string>,
  titles: ReadonlyMap<string, string>,
): TopologyEdge {
  const member = [edge.from, edge.to].find((id) => groupOf.has(id));
  if (member === undefined) return edge;
  const [from, to] = [edge.from, edge.to].map((id) => groupOf.get(id) ?? id) as [string, string];
  return { ...edge, from, to, title: `${titles.get(member) ?? member}: ${edge.title}` };
}

// What a line says: its ports, its traffic and its health, for the eye and in words.

export function lineLabel(bundle: Bundle, rates: Rates, titles: ReadonlyMap<string, string>) {
  const pace = rateOfBundle(bundle, rates);
  const state = healthOfBundle(bundle);
  const ports = portsOfBundle(bundle);
  const said = (where: string): string => {
    const parts = [where, pace === undefined ? '' : rate(pace)].filter((part) => part !== '');
    return parts.length === 0 ? `${bundle.hops.length} in all` : parts.join(' · ');
  };
  const ends = [bundle.from, bundle.to].map((id) => titles.get(id) ?? id).join(' to ');
  return {
    label: said(shortened(ports)),
    state,
    words: `${ends}: ${healthWords[state]}${seenFromText(bundle)}, ${said(ports.join(', '))}`,
    flowing: pace !== undefined && pace > 0,
  };
}

function seenFromText({ hops }: Bundle): string {
  const places = new Set(hops.flatMap(({ seenFrom }) => seenFrom ?? []));
  return places.size === 0 ? '' : `, seen from ${[...places].join(' and ')}`;
}

/** So many stand on a line; the rest is in words and in the drawer. */
const shownPorts = 4;

const shortened = (ports: readonly string[]): string =>
  ports.length <= shownPorts
    ? ports.join(', ')
    : `${ports.slice(0, shownPorts - 1).join(', ')} +${ports.length - shownPorts + 1}`;

// Where everything stands: connections run from left to right, nodes of a kind stand in one column, and a seed is a frame
// around what runs in it. Lines go around nodes, and each has room for its label.

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
  const groups = new Set(nodes.flatMap(({ id, members }) => (members === undefined ? [] : [id])));
  const outside = nodes.filter(({ parent }) => parent === undefined || !groups.has(parent));
  const shown = outside.filter((node) => node.kind !== 'seed' || outside.some(({ parent }) => parent === node.id));
  const drawn = spacedLines(shown, lines);
  const graph = laidOut(shown, drawn);
  const boxes = new Map(shown.map(({ id, kind }) => [id, boxOf(graph.node(id) as unknown as Box, kind === 'seed')]));
  const routes = drawn.map((line) => [line.id, routeOf(graph, line, boxes)] as const);
  return { boxes: new Map([...boxes, ...groupBoxes(nodes, boxes)]), routes: new Map(routes) };
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
function groupBoxes(nodes: readonly DrawnNode[], boxes: ReadonlyMap<string, Box>): [string, Box][] {
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
