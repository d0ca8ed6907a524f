// One page of a list. What is derived from a whole list is computed once for each list, not for each request.
import { hash } from 'node:crypto';
import { memo } from '../../core/memo.ts';
import type { Page } from '../schema/common.ts';

/** How the items of a list are told apart and found. The list must keep its identity for as long as it is the same. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** What a search looks at. */
  readonly textOf: (item: Item) => string;
  /** Further conditions. */
  readonly isWanted?: (item: Item) => boolean;
}

export interface Wanted {
  readonly q?: string;
  readonly limit: number;
  readonly continue?: string;
}

export function pageOfItems<Item>(listed: Listed<Item>, wanted: Wanted): Page<Item> {
  const found = matching(listed, wanted.q);
  const start = wanted.continue === undefined ? 0 : startOf(found, listed.keyOf, wanted.continue);
  const items = found.slice(start, start + wanted.limit);
  const end = start + items.length;
  const last = items.at(-1);
  const more = last !== undefined && end < found.length ? { continue: continueAfter(end - 1, listed.keyOf(last)) } : {};
  return { items, ...more, total: found.length };
}

function matching<Item>({ items, textOf, isWanted }: Listed<Item>, q = ''): readonly Item[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return isWanted === undefined ? items : items.filter(isWanted);
  const texts = textsOf(items)(textOf as (item: unknown) => string);
  return items.filter(
    (item, at) => words.every((word) => texts[at]?.includes(word)) && (isWanted === undefined || isWanted(item)),
  );
}

/** A list is always searched by the same text, so its texts are kept with it. */
const textsOf = memo((items: readonly unknown[]) => {
  let texts: readonly string[] | undefined;
  return (textOf: (item: unknown) => string): readonly string[] => {
    texts ??= items.map((item) => textOf(item).toLowerCase());
    return texts;
  };
});

/** Place and name of an item; whoever makes one up gets a page too. */
const continueAfter = (at: number, key: string): string => `${at}.${nameOf(key)}`;
const nameOf = (key: string): string => hash('sha256', key, 'base64url').slice(0, 12);

/** After the item that was last; where the list has changed meanwhile, after where that item is now or was. */
function startOf<Item>(items: readonly Item[], keyOf: (item: Item) => string, token: string): number {
  const [digits, name] = token.split('.');
  const at = Number(digits);
  const isIt = (item: Item): boolean => nameOf(keyOf(item)) === name;
  if (at < items.length && isIt(items[at] as Item)) return at + 1;
  const moved = items.findIndex(isIt);
  return moved < 0 ? Math.min(at, items.length) : moved + 1;
}
