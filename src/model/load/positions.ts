// Where a field stands in the text of its document. Documents are parsed a second time for this, only when somebody
// asks: most never have a finding.
import { EVENT_ID, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import type { Path } from '../finding.ts';
import type { Events } from './inspect-events.ts';
import { eventsOf } from './parse-yaml.ts';

type NodeEvent = Exclude<Events[number], { type: 1 | 5 | 6 }>;

interface Entry {
  readonly key: string;
  readonly keyOffset: number;
  readonly node: Node;
}
interface Node {
  /** Where its text starts; -1 when there is none, as after `domain:`. */
  readonly offset: number;
  /** Text on the line of its key, worth pointing at; for a block, the key is the better place. */
  readonly inline: boolean;
  readonly entries: Entry[];
  readonly items: Node[];
}

/** `key` points at the name of the last field of the path, `value` at what it holds. */
export type Part = 'key' | 'value';

/** Offset of the field in the text, or of the nearest field above it that exists. */
export function offsetOf(text: string, path: Path, part: Part): number {
  let node = treeOf(text);
  let best = Math.max(node?.offset ?? 0, 0);
  for (const [depth, step] of path.entries()) {
    const entry = node?.entries.findLast(({ key }) => key === String(step));
    const next = entry?.node ?? (typeof step === 'number' ? node?.items[step] : undefined);
    if (next === undefined) break;
    const wantsKey = part === 'key' && depth === path.length - 1;
    best = placeOf(next, entry, wantsKey) ?? best;
    node = next;
  }
  return best;
}

function placeOf(node: Node, entry: Entry | undefined, wantsKey: boolean): number | undefined {
  if (entry !== undefined && (wantsKey || !node.inline)) return entry.keyOffset;
  return node.offset === -1 ? undefined : node.offset;
}

/** Findings come document by document, so remembering the last tree saves nearly all of the work. */
const treeOf = rememberLast((text: string): Node | undefined => {
  try {
    return composeTree(eventsOf(text), text);
  } catch {
    return undefined; // Not YAML: that is a finding of its own, with its own place.
  }
});

function rememberLast<Output>(compute: (text: string) => Output): (text: string) => Output {
  let last: { readonly text: string; readonly output: Output } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, output: compute(text) };
    return last.output;
  };
}

interface Frame {
  readonly node: Node;
  readonly isMapping: boolean;
  key: { readonly text: string; readonly offset: number } | undefined;
}

function composeTree(events: Events, text: string): Node | undefined {
  const anchors = new Map<string, Node>();
  const root: Frame = { node: emptyNode(0, false), isMapping: false, key: undefined };
  const frames: Frame[] = [root];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) frames.pop();
    else if (event.type === EVENT_ID.ALIAS) attach(frames.at(-1), aliased(event, anchors, text), '');
    else if (event.type !== EVENT_ID.DOCUMENT) compose(event, frames, anchors, text);
  }
  return root.node.items[0];
}

function compose(event: NodeEvent, frames: Frame[], anchors: Map<string, Node>, text: string): void {
  const node = nodeOf(event);
  if (event.anchorStart !== -1) anchors.set(text.slice(event.anchorStart, event.anchorEnd), node);
  const isScalar = event.type === EVENT_ID.SCALAR;
  attach(frames.at(-1), node, isScalar ? getScalarValue(text, event) : '');
  if (!isScalar) frames.push({ node, isMapping: event.type === EVENT_ID.MAPPING, key: undefined });
}

const emptyNode = (offset: number, inline: boolean): Node => ({ offset, inline, entries: [], items: [] });

/** Nodes of a mapping come as key, value, key, value. */
function attach(frame: Frame | undefined, node: Node, text: string): void {
  if (frame === undefined) return;
  if (!frame.isMapping) frame.node.items.push(node);
  else if (frame.key === undefined) frame.key = { text, offset: Math.max(node.offset, 0) };
  else {
    frame.node.entries.push({ key: frame.key.text, keyOffset: frame.key.offset, node });
    frame.key = undefined;
  }
}

function nodeOf(event: NodeEvent): Node {
  if (event.type !== EVENT_ID.SCALAR) return emptyNode(event.start, false);
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  const inline = quoted || (event.style === SCALAR_STYLE.PLAIN && event.valueStart !== -1);
  return emptyNode(quoted ? event.valueStart - 1 : event.valueStart, inline);
}

/** The fields of the anchor, at their own places; the alias itself where it stands. */
function aliased(event: { anchorStart: number; anchorEnd: number }, anchors: Map<string, Node>, text: string): Node {
  const target = anchors.get(text.slice(event.anchorStart, event.anchorEnd));
  const here = emptyNode(event.anchorStart - 1, true);
  return target === undefined ? here : { ...here, entries: target.entries, items: target.items };
}
