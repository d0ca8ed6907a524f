import { ActionIcon, Box, Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react';
import { Fragment, type ReactNode, useRef } from 'react';
import type { Query } from '../../api/client.ts';
import { useApi } from '../../api/queries.ts';
import type { Page } from '../../api/types.ts';
import { Loaded } from '../notices.tsx';
import styles from './data-table.module.css';
import { fromTheStart, useUrlState } from './url-state.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Of CSS, as in 30%. */
  readonly width?: string;
}

interface DataTableProps<Row> {
  /** What it lists, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Shown below a row that is opened. */
  readonly details?: (row: Row) => ReactNode;
}

/** A table where there is room, a stack of cards on a phone. */
export function DataTable<Row>({ label, columns, rows, keyOf, details }: DataTableProps<Row>) {
  const url = useUrlState();
  const opened = url.get('open');
  return (
    <Paper withBorder className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {details !== undefined && (
              <th className={styles.opener}>
                <span className={styles.unseen}>Details</span>
              </th>
            )}
            {columns.map(({ title, width }) => (
              <th key={title} style={{ width }}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row);
            const isOpen = details !== undefined && opened === key;
            const toggle = (): void => url.set({ open: isOpen ? undefined : key }, { replace: true });
            return (
              <Fragment key={key}>
                <tr data-open={isOpen || undefined}>
                  {details !== undefined && <Opener isOpen={isOpen} onClick={toggle} />}
                  {columns.map(({ title, cell }) => (
                    <td key={title} data-label={title}>
                      <Box miw={0}>{cell(row)}</Box>
                    </td>
                  ))}
                </tr>
                {isOpen && (
                  <tr className={styles.details}>
                    <td colSpan={columns.length + 1}>{details(row)}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </Paper>
  );
}

const Opener = ({ isOpen, onClick }: { isOpen: boolean; onClick: () => void }) => (
  <td className={styles.opener}>
    <UnstyledButton className={styles.toggle} aria-expanded={isOpen} aria-label="Details" onClick={onClick}>
      <IconChevronRight size={16} aria-hidden className={styles.chevron} />
    </UnstyledButton>
  </td>
);

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

// A list of the server with its filters and pages; says what to do where it is empty.

interface ListedProps<Row> {
  /** Of the API, as in /flows. */
  readonly path: string;
  /** Parameters of the address that are passed on to the server. */
  readonly filters: readonly string[];
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly details?: (row: Row) => ReactNode;
  /** Stands there when nothing is filtered and there is nothing. */
  readonly empty: ReactNode;
}

export function Listed<Row>({ path, filters, empty, ...table }: ListedProps<Row>) {
  const url = useUrlState();
  const paging = usePaging();
  const wanted: Query = Object.fromEntries(filters.map((name) => [name, url.get(name)]));
  const isFiltered = filters.some((name) => url.get(name) !== '');
  const query = useApi<Page<Row>>(path, { ...wanted, ...paging.query });
  return (
    <Loaded query={query}>
      {(page) => (
        <Stack gap="sm" opacity={query.isPlaceholderData ? 0.6 : 1}>
          {page.total > 0 ? <DataTable {...table} rows={page.items} /> : isFiltered ? <NothingFits /> : empty}
          <PageControls page={page} paging={paging} />
        </Stack>
      )}
    </Loaded>
  );
}

export const NothingFits = () => (
  <Text c="dimmed" ta="center" py={48}>
    Nothing fits these filters. Clear them to see all.
  </Text>
);
