// One page of a list. What is derived from a whole list is computed once for each list, not for each request.
import { memo } from '../../core/memo.ts';
import { ApiError } from '../problems.ts';
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

const continueAfter = (at: number, key: string): string => Buffer.from(`${at}:${key}`).toString('base64url');

/** After the item that was last; where the list has changed meanwhile, after where that item is now or was. */
function startOf<Item>(items: readonly Item[], keyOf: (item: Item) => string, token: string): number {
  const [, digits, key] = /^(\d{1,9}):(.*)$/s.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (digits === undefined || key === undefined) throw badContinue;
  const at = Number(digits);
  const item = items[at];
  if (item !== undefined && keyOf(item) === key) return at + 1;
  const moved = items.findIndex((other) => keyOf(other) === key);
  return moved < 0 ? Math.min(at, items.length) : moved + 1;
}

const badContinue = new ApiError(
  400,
  'CW-API-CONTINUE',
  'continue is not one that this list gave',
  'ask for the first page without it',
);
