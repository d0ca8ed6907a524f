// What is valid YAML but refused: directives, tags, and aliases that blow a document up. Decided on the events of the
// parser, before any value exists, so that an alias bomb costs no more than its text.
import { EVENT_ID, type parseEvents } from 'js-yaml';
import { directive, tag, type YamlProblem } from './yaml-problems.ts';

export type Events = ReturnType<typeof parseEvents>;

export const maxNodes = 100_000;
const maxExpandedDepth = 256;

export function inspectEvents(events: Events, source: string): YamlProblem | undefined {
  let hasAliases = false;
  for (const event of events) {
    if (event.type === EVENT_ID.ALIAS) hasAliases = true;
    else if (event.type === EVENT_ID.DOCUMENT) {
      if (event.directives.length > 0) return { ...directive, offset: 0 };
    } else if (event.type !== EVENT_ID.POP && event.tagStart !== -1) return { ...tag, offset: event.tagStart };
  }
  return hasAliases ? inspectAliases(events, source) : undefined;
}

/** A node with all aliases below it followed. */
interface Expanded {
  readonly anchor: string | undefined;
  nodes: number;
  depth: number;
}

interface Count {
  readonly source: string;
  readonly anchors: Map<string, Expanded>;
  readonly open: Expanded[];
}

/** One pass: what an anchor stands for is known when its node closes, so an alias costs an addition. */
function inspectAliases(events: Events, source: string): YamlProblem | undefined {
  const count: Count = { source, anchors: new Map(), open: [] };
  for (const event of events) {
    const problem = countEvent(event, count);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function countEvent(event: Events[number], count: Count): YamlProblem | undefined {
  if (event.type === EVENT_ID.ALIAS) return followAlias(event.anchorStart, nameOf(event, count.source), count);
  if (event.type === EVENT_ID.POP) close(count.open.pop(), count);
  else if (event.type === EVENT_ID.DOCUMENT) count.open.push({ anchor: undefined, nodes: 0, depth: 0 });
  else {
    const node = openNode(event.anchorStart === -1 ? undefined : nameOf(event, count.source), count);
    if (event.type === EVENT_ID.SCALAR) close(node, count);
    else count.open.push(node);
  }
  return undefined;
}

const nameOf = (event: { anchorStart: number; anchorEnd: number }, source: string): string =>
  source.slice(event.anchorStart, event.anchorEnd);

/** From here on the name means this node, even while it is open: `b: &a [*a]` contains itself. */
function openNode(anchor: string | undefined, { anchors }: Count): Expanded {
  if (anchor !== undefined) anchors.delete(anchor);
  return { anchor, nodes: 1, depth: 1 };
}

function close(node: Expanded | undefined, { open, anchors }: Count): void {
  if (node?.anchor !== undefined) anchors.set(node.anchor, node);
  if (node !== undefined) addTo(open.at(-1), node);
}

function addTo(parent: Expanded | undefined, node: Expanded): void {
  if (parent === undefined) return;
  parent.nodes += node.nodes;
  parent.depth = Math.max(parent.depth, node.depth + 1);
}

function followAlias(offset: number, name: string, { open, anchors }: Count): YamlProblem | undefined {
  const target = anchors.get(name);
  if (target === undefined) return { ...unknownAlias, offset };
  const parent = open.at(-1);
  addTo(parent, target);
  return isTooMuch(parent) ? { ...tooManyNodes, offset } : undefined;
}

const isTooMuch = (node: Expanded | undefined): boolean =>
  node !== undefined && (node.nodes > maxNodes || node.depth > maxExpandedDepth);

const unknownAlias = {
  code: 'CW-YAML-ALIASES',
  message: 'this alias (a word that begins with *) refers to no anchor above it, or to itself',
  fix: 'Add the anchor (&name) above, or put the value in quotes.',
} as const;

const tooManyNodes = {
  code: 'CW-YAML-ALIASES',
  message: `with its aliases followed, the document has more than ${maxNodes} values or is more than ${maxExpandedDepth} levels deep`,
  fix: 'Write the values out instead of nesting aliases.',
} as const;
