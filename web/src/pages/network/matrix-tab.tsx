import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { IconArrowsRightLeft } from '@tabler/icons-react';
import type { FlowRow } from '../../api/types.ts';
import type { Column } from '../../components/data-table/data-table.tsx';
import { Facts } from '../../components/data-table/facts.tsx';
import { FilterBar, PortFilter, TextFilter } from '../../components/data-table/filters.tsx';
import { Listed } from '../../components/data-table/listed.tsx';
import { ClusterLinks, Many, ManyInRow } from '../../components/data-table/many.tsx';
import { fromTheStart, useUrlState } from '../../components/data-table/url-state.ts';
import { DownloadMenu } from '../../components/download/download-menu.tsx';
import { Notice } from '../../components/notice.tsx';
import { ReferenceLink } from '../findings/reference/reference.tsx';
import { ClusterFilter, PlaceFilters } from './flow-filters.tsx';

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
      <Many values={addresses} none="address not known yet" />
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
      ['From', <ManyInRow key="source" values={flow.source} none="not known yet" />],
      ['To', <ManyInRow key="destination" values={flow.destination} none="not known yet" />],
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
