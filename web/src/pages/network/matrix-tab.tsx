import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowsRightLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { useApi } from '../../api/queries.ts';
import type { ClusterPage, FlowRow, Page } from '../../api/types.ts';
import { type Column, Listed } from '../../components/data-table/data-table.tsx';
import { Facts } from '../../components/data-table/facts.tsx';
import { type Choice, ChoiceFilter, FilterBar, PortFilter, TextFilter } from '../../components/data-table/filters.tsx';
import { fromTheStart, useUrlState } from '../../components/data-table/url-state.ts';
import { ClusterLinks, ValueList, ValueRow } from '../../components/data-table/value-list.tsx';
import { DownloadMenu } from '../../components/download/download-menu.tsx';
import { Notice } from '../../components/notices.tsx';
import { ReferenceLink } from '../findings/reference/reference.tsx';

const filters = ['q', 'from', 'to', 'cluster', 'port'];

/** Which connections must be possible, for those who open firewalls. */
export function MatrixTab() {
  return (
    <Stack gap="md">
      <FilterBar names={filters} actions={<DownloadMenu names={['firewall', 'nftables', 'checklist']} />}>
        <TextFilter name="q" label="Search flows" placeholder="Place, port, reason, cluster" />
        <PlaceFilters />
        <ClusterFilter />
        <PortFilter name="port" label="Port" />
      </FilterBar>
      <Listed<FlowRow>
        path="/flows"
        filters={filters}
        label="Flows"
        columns={columns}
        keyOf={({ id }) => id}
        details={(flow) => <FlowDetails flow={flow} />}
        empty={<NoFlows />}
      />
    </Stack>
  );
}

const columns: readonly Column<FlowRow>[] = [
  { title: 'From', width: '21%', cell: (flow) => <Place end="from" flow={flow} /> },
  { title: 'To', width: '21%', cell: (flow) => <Place end="to" flow={flow} /> },
  { title: 'Port', width: '12%', cell: (flow) => <Ports flow={flow} /> },
  { title: 'Why', cell: ({ reason }) => reason },
  {
    title: 'Needed by',
    width: '15%',
    cell: ({ clusters, clusterCount }) => <ClusterLinks values={clusters} total={clusterCount} />,
  },
];

/** A click on a place shows only what begins or ends there. */
function Place({ flow, end }: { flow: FlowRow; end: 'from' | 'to' }) {
  const url = useUrlState();
  const [title, addresses] = end === 'from' ? [flow.fromTitle, flow.source] : [flow.toTitle, flow.destination];
  return (
    <Stack gap={0} align="flex-start">
      <Anchor
        component="button"
        type="button"
        fz="sm"
        fw={500}
        ta="left"
        c="inherit"
        title={`Only ${end} ${title}`}
        onClick={() => url.set({ ...fromTheStart, [end]: flow[end] })}
      >
        {title}
      </Anchor>
      <ValueList values={addresses} none="address not known yet" />
    </Stack>
  );
}

const Ports = ({ flow: { protocol, ports } }: { flow: FlowRow }) => (
  <Group gap="2px 6px">
    <Badge variant="default" size="sm" radius="sm" tt="none" fw={500}>
      {protocol === 'any' ? 'any protocol' : protocol}
    </Badge>
    <Text span fz="sm" ff="monospace">
      {ports.length === 0 ? 'all ports' : ports.join(', ')}
    </Text>
  </Group>
);

const FlowDetails = ({ flow }: { flow: FlowRow }) => (
  <Facts
    facts={[
      ['From', <ValueRow key="source" values={flow.source} none="not known yet" />],
      ['To', <ValueRow key="destination" values={flow.destination} none="not known yet" />],
      ['Opened by', flow.openedBy],
      ['Requirement', <ReferenceLink key="row" name={flow.requirement} />],
      [
        'Clusters',
        <ClusterLinks
          key="clusters"
          values={flow.clusters}
          total={flow.clusterCount}
          shown={60}
          none="The platform itself"
        />,
      ],
    ]}
  />
);

const NoFlows = () => (
  <Notice icon={IconArrowsRightLeft} title="No flows are planned yet">
    They follow from the manifests. Add a seed, a datacenter and a cluster, or look at the findings if something keeps
    them from being planned.
  </Notice>
);

/** The places that flows begin and end at. There are as many as networks, not as clusters. */
export function PlaceFilters() {
  const flows = useApi<Page<FlowRow>>('/flows', { limit: 1000 }).data?.items ?? [];
  return (
    <>
      <ChoiceFilter name="from" label="From" options={choicesOf(flows.map((flow) => [flow.from, flow.fromTitle]))} />
      <ChoiceFilter name="to" label="To" options={choicesOf(flows.map((flow) => [flow.to, flow.toTitle]))} />
    </>
  );
}

const choicesOf = (places: readonly (readonly [id: string, title: string])[]): Choice[] =>
  [...new Map(places)].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label, 'en'));

/** The server looks through the clusters, of which there may be many. */
export function ClusterFilter() {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text, 150);
  const clusters = useApi<ClusterPage>('/clusters', { q, limit: 20 }).data?.items ?? [];
  const options = clusters.map(({ name }) => ({ value: name, label: name }));
  return <ChoiceFilter name="cluster" label="Cluster" options={options} onSearch={setText} />;
}
