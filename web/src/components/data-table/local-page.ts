import type { Page } from '../../api/types.ts';
import type { Paging } from './data-table.tsx';

/** A page of what the browser has already; the token is how many come before it. */
export function localPage<Row>(rows: readonly Row[], { limit, continue: at }: Paging['query']): Page<Row> {
  const start = Number.parseInt(at, 10) || 0;
  const end = start + limit;
  return {
    items: rows.slice(start, end),
    total: rows.length,
    ...(end < rows.length ? { continue: String(end) } : {}),
  };
}

/** Does it have all these words somewhere? As the server searches. */
export function hasWords(text: string, words: string): boolean {
  const searched = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
