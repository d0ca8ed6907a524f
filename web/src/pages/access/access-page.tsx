import { Badge, Group, Text } from '@mantine/core';
import { useApi } from '../../api/queries.ts';
import type { Credentials } from '../../api/types.ts';
import { type Column, DataTable } from '../../components/data-table/data-table.tsx';
import { ago, span } from '../../components/format.ts';
import { Loaded } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';
import { Revoke } from '../../components/revoke.tsx';

type Credential = Credentials['items'][number];

const columns: readonly Column<Credential>[] = [
  {
    title: 'Person',
    cell: ({ person, current }) => (
      <Group gap={6}>
        {person}
        {current && (
          <Badge variant="default" size="sm" tt="none">
            This browser
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'Kind', cell: ({ kind }) => (kind === 'session' ? 'Session' : 'Bearer token') },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'From', cell: ({ from }) => (from === '' ? 'this machine' : from) },
  { title: 'Last used', cell: ({ usedAt }) => ago(usedAt, Date.now()) },
  { title: 'Ends in', cell: ({ endsAt }) => span(Math.max(0, endsAt - Date.now())) },
  {
    title: 'Revoke',
    cell: ({ id, kind, person, current }) => (
      <Revoke
        path={`/credentials/${id}`}
        what={`a ${kind} of ${person}`}
        {...(current ? { onRevoked: () => location.assign('/login') } : {})}
      />
    ),
  },
];

/** Who is let in now. */
export function AccessPage() {
  const query = useApi<Credentials>('/credentials', {}, { refetchInterval: 10_000 });
  return (
    <Page title="Access" about="Who is signed in, and bearer tokens of scripts. All of them end with the platform.">
      <Loaded query={query}>
        {({ items }) => (
          <>
            <DataTable label="Sessions and tokens" columns={columns} rows={items} keyOf={({ id }) => id} />
            <Text fz="sm" c="dimmed">
              Kubeconfigs are listed with their cluster.
            </Text>
          </>
        )}
      </Loaded>
    </Page>
  );
}
