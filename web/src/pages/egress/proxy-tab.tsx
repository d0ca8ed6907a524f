import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useApi } from '../../api/queries.ts';
import type { Proxies, ProxyRow } from '../../api/types.ts';
import { type Column, Listed } from '../../components/data-table/data-table.tsx';
import { Facts } from '../../components/data-table/facts.tsx';
import { SearchBar } from '../../components/data-table/filters.tsx';
import { Name, ValueRow } from '../../components/data-table/value-list.tsx';
import { Notice } from '../../components/notices.tsx';

/** The proxy that holds in each place, after everything that was inherited and overridden. */
export const ProxyTab = () => (
  <Stack gap="md">
    <WaysOut />
    <SearchBar label="Search places" placeholder="Place, proxy, exception" />
    <Listed<ProxyRow>
      path="/proxy"
      filters={['q']}
      label="Effective proxies"
      columns={columns}
      keyOf={({ place }) => place}
      details={(row) => <ProxyDetails row={row} />}
      empty={<NoProxy />}
    />
  </Stack>
);

const words = { direct: 'directly', proxy: 'by a proxy', offline: 'not at all' };

/** Networks beyond this are a number. */
const shown = 12;

/** Networks, of which there are few; the table below has everybody in them. */
function WaysOut() {
  const modes = Object.entries(useApi<Proxies>('/proxy', { limit: 1 }).data?.modes ?? {});
  return (
    <Group gap="xs" role="list" aria-label="How each network gets out">
      {modes.slice(0, shown).map(([network, mode]) => (
        <Badge key={network} variant="default" size="lg" tt="none" fw={400} role="listitem">
          {network}: <strong>{words[mode]}</strong>
        </Badge>
      ))}
      {modes.length > shown && (
        <Text span fz="sm" c="dimmed" role="listitem">
          and {modes.length - shown} more
        </Text>
      )}
    </Group>
  );
}

const columns: readonly Column<ProxyRow>[] = [
  {
    title: 'Place',
    width: '34%',
    cell: ({ place }) => (
      <Text span fz="sm" fw={500}>
        {place}
      </Text>
    ),
  },
  { title: 'Proxy', width: '36%', cell: ({ https, http }) => <Name text={https ?? http ?? 'none'} /> },
  { title: 'Set by', cell: ({ from }) => from },
];

const ProxyDetails = ({ row }: { row: ProxyRow }) => (
  <Facts
    facts={[
      ['For http', row.http && <Name text={row.http} />],
      ['For https', row.https && <Name text={row.https} />],
      ['Not for', <ValueRow key="exceptions" values={row.noProxy} shown={200} none="no exceptions" />],
      ['Credentials', referenceOf(row.credentials)],
      ['Its CA', referenceOf(row.trustBundle)],
    ]}
  />
);

/** Where a secret is kept; its value is known to nobody here. */
const referenceOf = (reference: Record<string, unknown> | undefined) =>
  reference && <Code>{JSON.stringify(reference)}</Code>;

const NoProxy = () => (
  <Notice icon={IconRoute} title="No place uses a proxy">
    A proxy is set in the Platform, a Seed, a Datacenter or a Cluster, under <Code>spec.proxy</Code>.
  </Notice>
);
