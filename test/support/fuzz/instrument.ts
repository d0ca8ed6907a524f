// Puts a counter into every branch of a module, as a plugin of the bundler: a fuzzer sees by them which inputs reach what no
// input reached before.
import type { Plugin } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface Instrumented {
  readonly plugin: Plugin;
  /** How many counters there are; known when the bundle is made. */
  branches(): number;
  /** Short texts of the sources: what readers compare with. */
  words(): string[];
}

/** Counters are `globalThis.fuzzHits`, one byte each. */
export function instrument(sources: RegExp): Instrumented {
  let count = 0;
  const words = new Set<string>();
  const handler = (code: string, id: string): string => {
    const insertions: [at: number, text: string][] = [];
    const counter = (): string => `globalThis.fuzzHits[${count++}]++`;
    visit(parseAst(code, { lang: id.endsWith('.ts') ? 'ts' : 'js' }, id) as unknown as Node, (node) => {
      if (node.type === 'Literal' && typeof node.value === 'string' && isWord(node.value)) words.add(node.value);
      for (const [start, end, kind] of branchesOf(node)) {
        insertions.push(...(kind === 'block' ? [inBlock(start, counter())] : around(start, end, kind, counter())));
      }
    });
    return inserted(code, insertions);
  };
  return {
    plugin: { name: 'instrument', transform: { filter: { id: sources }, handler } },
    branches: () => count,
    words: () => [...words],
  };
}

const isWord = (text: string): boolean => text.length > 0 && text.length <= 32;

type Branch = readonly [start: number, end: number, kind: 'block' | 'statement' | 'expression'];

/** The parts of a node that run or do not. */
function branchesOf(node: Node): Branch[] {
  switch (node.type) {
    case 'IfStatement':
      return [branch(node.consequent), branch(node.alternate)].flat();
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return branch(node.body);
    case 'CatchClause':
      return branch(node.body);
    case 'ConditionalExpression':
      return [branch(node.consequent), branch(node.alternate)].flat();
    case 'LogicalExpression':
      return branch(node.right);
    case 'SwitchCase':
      return (node.consequent as Node[]).slice(0, 1).flatMap(branch);
    default:
      return [];
  }
}

function branch(part: unknown): Branch[] {
  const node = part as Node | null;
  if (node === null || node === undefined) return [];
  if (node.type === 'BlockStatement') return [[node.start, node.end, 'block']];
  if (/Declaration$/.test(node.type)) return [];
  return [[node.start, node.end, node.type.endsWith('Statement') ? 'statement' : 'expression']];
}

const inBlock = (start: number, counter: string): [number, string] => [start + 1, `${counter};`];

function around(start: number, end: number, kind: 'statement' | 'expression', counter: string): [number, string][] {
  const [before, after] = kind === 'statement' ? [`{${counter};`, '}'] : [`(${counter},`, ')'];
  return [
    [start, before],
    [end, after],
  ];
}

/** Outer ones come first at the same place, and end last. */
function inserted(code: string, insertions: readonly [number, string][]): string {
  const sorted = insertions
    .map(([at, text], order) => ({ at, text, order }))
    .toSorted((a, b) => a.at - b.at || rank(a.text) - rank(b.text) || (a.order - b.order) * (rank(a.text) || -1));
  let [result, from] = ['', 0];
  for (const { at, text } of sorted) {
    result += code.slice(from, at) + text;
    from = at;
  }
  return result + code.slice(from);
}

const rank = (text: string): number => (text === ')' || text === '}' ? 0 : 1);

function visit(node: Node, seen: (node: Node) => void): void {
  seen(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') visit(child as Node, seen);
  }
}
