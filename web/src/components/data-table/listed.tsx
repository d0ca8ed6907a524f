// A list of the server with its filters and pages; says what to do where it is empty.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Query } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../loaded.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { PageControls, usePaging } from './paging.tsx';
import { useUrlState } from './url-state.ts';

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
