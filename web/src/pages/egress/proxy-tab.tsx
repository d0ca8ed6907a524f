import { Code, Stack, Text } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import type { ProxyView } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { type Column, DataTable } from '../../components/data-table/data-table.tsx';
import { Facts } from '../../components/data-table/facts.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../components/data-table/filters.tsx';
import { NothingFits } from '../../components/data-table/listed.tsx';
import { localPage } from '../../components/data-table/local-page.ts';
import { ManyInRow } from '../../components/data-table/many.tsx';
import { PageControls, usePaging } from '../../components/data-table/paging.tsx';
import { useUrlState } from '../../components/data-table/url-state.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { fits, type ProxyOfPlace, proxiesOf } from './proxies.ts';

const modes = [
  { value: 'direct', label: 'Direct' },
  { value: 'proxy', label: 'By a proxy' },
  { value: 'offline', label: 'Offline' },
];

/** The proxy that holds in each place, after everything that was inherited and overridden. */
export function ProxyTab() {
  const query = useApi<ProxyView>('/proxy');
  return (
    <Stack gap="md">
      <FilterBar names={['q', 'mode']}>
        <TextFilter name="q" label="Search places" placeholder="Place, proxy, exception" />
        <ChoiceFilter name="mode" label="Way out" options={modes} />
      </FilterBar>
      <Loaded query={query}>{(proxy) => <Places all={proxiesOf(proxy)} />}</Loaded>
    </Stack>
  );
}

function Places({ all }: { all: readonly ProxyOfPlace[] }) {
  const url = useUrlState();
  const paging = usePaging();
  if (all.length === 0) return <NoPlaces />;
  const wanted = { words: url.get('q'), mode: url.get('mode') };
  const page = localPage(
    all.filter((place) => fits(place, wanted)),
    paging.query,
  );
  if (page.total === 0) return <NothingFits />;
  return (
    <Stack gap="sm">
      <DataTable
        label="Effective proxies"
        columns={columns}
        rows={page.items}
        keyOf={({ place }) => place}
        details={(place) => <ProxyDetails of={place} />}
      />
      <PageControls page={page} paging={paging} />
    </Stack>
  );
}

const columns: readonly Column<ProxyOfPlace>[] = [
  {
    title: 'Place',
    width: '36%',
    cell: ({ place }) => (
      <Text span fz="sm" fw={500}>
        {place}
      </Text>
    ),
  },
  { title: 'Way out', width: '34%', cell: (place) => <WayOut of={place} /> },
  { title: 'Set by', cell: ({ proxy }) => proxy?.from ?? 'nobody' },
];

const WayOut = ({ of: { mode, proxy } }: { of: ProxyOfPlace }) => {
  if (proxy !== undefined) return <Code>{proxy.https ?? proxy.http}</Code>;
  return mode === 'offline' ? 'None: mirrors inside only' : 'Direct';
};

function ProxyDetails({ of: { proxy } }: { of: ProxyOfPlace }) {
  if (proxy === undefined) return <Text fz="sm">No proxy is set for this place.</Text>;
  return (
    <Facts
      facts={[
        ['For http', proxy.http && <Code>{proxy.http}</Code>],
        ['For https', proxy.https && <Code>{proxy.https}</Code>],
        ['Not for', <ManyInRow key="exceptions" values={proxy.noProxy} shown={200} none="no exceptions" />],
        ['Credentials', referenceOf(proxy.credentials)],
        ['Its CA', referenceOf(proxy.trustBundle)],
      ]}
    />
  );
}

/** Where a secret is kept; its value is known to nobody here. */
const referenceOf = (reference: Record<string, unknown> | undefined) =>
  reference && <Code>{JSON.stringify(reference)}</Code>;

const NoPlaces = () => (
  <Notice icon={IconRoute} title="No place uses a proxy">
    Everything is reached directly. A proxy is set in the Platform, a Seed, a Datacenter or a Cluster, under{' '}
    <Code>spec.proxy</Code>.
  </Notice>
);
