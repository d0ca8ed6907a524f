import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Page } from '../../api/types.ts';
import { fromTheStart, useUrlState } from './url-state.ts';

export const pageSize = 50;

export interface Paging {
  /** What the server is asked for. */
  readonly query: { readonly limit: number; readonly continue: string };
  readonly number: number;
  readonly toFirst: () => void;
  readonly toPrevious: () => void;
  readonly toNext: (token: string) => void;
}

/** The server hands out a token for the next page only; those of earlier pages are remembered from walking there. */
export function usePaging(): Paging {
  const url = useUrlState();
  const tokens = useRef(new Map<number, string>());
  const number = Math.max(1, Number.parseInt(url.get('page'), 10) || 1);
  const goTo = (page: number, at: string | undefined): void =>
    url.set({ ...fromTheStart, ...(page > 1 && at !== undefined ? { at, page: String(page) } : {}) });
  return {
    query: { limit: pageSize, continue: url.get('at') },
    number,
    toFirst: () => goTo(1, undefined),
    toPrevious: () => goTo(number - 1, tokens.current.get(number - 1)),
    toNext: (token) => {
      tokens.current.set(number, url.get('at')).set(number + 1, token);
      goTo(number + 1, token);
    },
  };
}

/** Which part of the whole one sees, and the ways to the others. */
export function PageControls({ page, paging }: { page: Page<unknown>; paging: Paging }) {
  const first = (paging.number - 1) * pageSize + 1;
  const next = page.continue;
  if (paging.number === 1 && next === undefined) return null;
  const step = { variant: 'default', size: 'lg' } as const;
  return (
    <Group justify="flex-end" gap="xs" component="nav" aria-label="Pages of the list">
      <Text fz="sm" c="dimmed" className="figures" mr={4}>
        {first.toLocaleString('en')}–{(first + page.items.length - 1).toLocaleString('en')} of{' '}
        {page.total.toLocaleString('en')}
      </Text>
      <ActionIcon {...step} aria-label="First page" disabled={paging.number === 1} onClick={paging.toFirst}>
        <IconChevronsLeft size={18} />
      </ActionIcon>
      <ActionIcon {...step} aria-label="Previous page" disabled={paging.number === 1} onClick={paging.toPrevious}>
        <IconChevronLeft size={18} />
      </ActionIcon>
      <ActionIcon
        {...step}
        aria-label="Next page"
        disabled={next === undefined}
        onClick={() => next !== undefined && paging.toNext(next)}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
    </Group>
  );
}
