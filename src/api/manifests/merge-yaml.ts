// A YAML document with another value, in which everything that stays the same keeps its place, style and comments.
import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
  YAMLMap,
  type YAMLSeq,
} from 'yaml';

type Values = Readonly<Record<string, unknown>>;
type Anything = Document<Node> | Document.Parsed<ParsedNode>;

const ownStyle = { lineWidth: 0, indent: 2, indentSeq: true };

/** New lines are indented as the others are. */
function styleOf(text: string): typeof ownStyle {
  const indent = /^( {2,8})\S/m.exec(text)?.[1]?.length ?? ownStyle.indent;
  const listsBelowKeys = /^( *)[^\s#-][^\n]*:[ \t]*(?:#.*)?\n(?:\1 *#.*\n)*\1- /m.test(text);
  return { ...ownStyle, indent, indentSeq: !listsBelowKeys };
}

/** Lines that say the same as before stay as they were written. */
export function mergeYaml(text: string, value: unknown): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) return newYaml(value);
  const style = styleOf(text);
  const before = document.toString(style);
  document.contents = merged(document, document.contents, value) as typeof document.contents;
  const after = document.toString(style);
  const kept = keepLines(text, before, after);
  return isDeepStrictEqual(parseDocument(kept).toJS(), value) ? kept : after;
}

export function newYaml(value: unknown): string {
  const document = parseDocument('');
  document.contents = fresh(document, value) as typeof document.contents;
  return document.toString(ownStyle);
}

function merged(document: Anything, node: unknown, value: unknown): Node {
  if (isNode(node) && isDeepStrictEqual(node.toJS(document), value)) return node;
  if (isMap(node) && isValues(value)) return mergedMap(document, node, value);
  if (isSeq(node) && Array.isArray(value)) return mergedList(document, node, value);
  if (!isScalar(node) || typeof value === 'object') return fresh(document, value);
  // A text keeps its quotes; a number that becomes a text may need some.
  if (typeof node.value !== typeof value) delete node.type;
  delete node.source;
  node.value = value;
  return node;
}

function mergedMap(document: Anything, map: YAMLMap, value: Values): YAMLMap {
  const keyOf = (key: unknown): string => String(isScalar(key) ? key.value : key);
  map.items = map.items.filter(({ key }) => keyOf(key) in value);
  const known = new Map(map.items.map((pair) => [keyOf(pair.key), pair]));
  for (const [key, inner] of Object.entries(value)) {
    const pair = known.get(key);
    if (pair === undefined) map.add(document.createPair(key, fresh(document, inner)));
    else pair.value = merged(document, pair.value, inner);
  }
  return map;
}

/** An entry that is still there keeps its node; others take the place of what was at theirs. */
function mergedList(document: Anything, list: YAMLSeq, values: readonly unknown[]): YAMLSeq {
  const left = new Set(list.items as Node[]);
  const same = values.map((value) => {
    const found = [...left].find((node) => isDeepStrictEqual(node.toJS(document), value));
    if (found !== undefined) left.delete(found);
    return found;
  });
  list.items = values.map((value, at) => {
    const old = list.items[at] as Node | undefined;
    return same[at] ?? (old !== undefined && left.has(old) ? merged(document, old, value) : fresh(document, value));
  });
  return list;
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Short lists of single values stand on one line. */
function fresh(document: Anything, value: unknown): Node {
  const node = document.createNode(value) as Node;
  visit(node, {
    Seq: (_, list) => {
      list.flow = list.items.every((item) => isScalar(item));
    },
  });
  if (node instanceof YAMLMap && node.items.length === 0) node.flow = true;
  return node;
}

// Writes a change into a text without touching what did not change. The change is given as two normal forms of the
// text, before and after; where the normal form has the same lines as the text, each line stands for its original.

/** Comparing every line with every other is worth so much at most. */
const mostComparisons = 4_000_000;

/** `after`, with lines that are in `before` too as `source` has them. */
export function keepLines(source: string, before: string, after: string): string {
  const [original, old, now] = [source.split('\n'), before.split('\n'), after.split('\n')];
  if (original.length !== old.length) return after;
  const head = commonHead(old, now);
  const tail = commonHead(old.slice(head).reverse(), now.slice(head).reverse());
  const [oldMiddle, middle] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const kept = oldMiddle.length * middle.length > mostComparisons ? [] : sameLines(oldMiddle, middle);
  return [
    ...original.slice(0, head),
    ...middle.map((line, at) => original[head + (kept[at] ?? Number.NaN)] ?? line),
    ...original.slice(original.length - tail),
  ].join('\n');
}

function commonHead(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}

/** For each line of `now` the line of `old` that it is; undefined where it is new. */
function sameLines(old: readonly string[], now: readonly string[]): (number | undefined)[] {
  const lengths = commonLengths(old, now);
  const found: (number | undefined)[] = [];
  let at = 0;
  for (let i = 0; i < now.length; i++) {
    while (at < old.length && old[at] !== now[i] && lengthAt(lengths, at + 1, i) >= lengthAt(lengths, at, i + 1)) at++;
    found.push(at < old.length && old[at] === now[i] ? at++ : undefined);
  }
  return found;
}

/** Longest common subsequence of what is left of both, from each pair of places on. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      (lengths[i] as Uint16Array)[j] =
        old[i] === now[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
  return lengths;
}

const lengthAt = (lengths: readonly Uint16Array[], i: number, j: number): number => lengths[i]?.[j] ?? 0;
