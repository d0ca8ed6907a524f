import { Badge, Group, Stack, Text } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import type { EgressRow } from '../../api/types.ts';
import { type Column, Listed } from '../../components/data-table/data-table.tsx';
import { Facts } from '../../components/data-table/facts.tsx';
import { SearchBar } from '../../components/data-table/filters.tsx';
import { ClusterLinks, Name, ValueRow } from '../../components/data-table/value-list.tsx';
import { DownloadMenu } from '../../components/download/download-menu.tsx';
import { Notice } from '../../components/notices.tsx';
import { ReferenceLink } from '../findings/reference/reference.tsx';

/** Hosts that must be reachable from inside, for those who keep the proxy. */
export const AllowListTab = () => (
  <Stack gap="md">
    <SearchBar
      label="Search hosts"
      placeholder="Host, image, component, place"
      actions={<DownloadMenu names={['allow-list', 'squid']} />}
    />
    <Listed<EgressRow>
      path="/egress"
      filters={['q']}
      label="Allow-list"
      columns={columns}
      keyOf={keyOf}
      details={(entry) => <EntryDetails entry={entry} />}
      empty={
        <Notice icon={IconListCheck} title="Nothing is fetched from outside">
          Either there are no clusters yet, or everything comes from mirrors inside (egress mode offline).
        </Notice>
      }
    />
  </Stack>
);

const keyOf = ({ host, component, ports }: EgressRow): string => `${host} ${component} ${ports.join(' ')}`;

const columns: readonly Column<EgressRow>[] = [
  { title: 'Host', width: '30%', cell: (entry) => <Host entry={entry} /> },
  {
    title: 'Port',
    width: '8%',
    cell: ({ ports }) => (
      <Text span fz="sm" ff="monospace">
        {ports.join(', ')}
      </Text>
    ),
  },
  { title: 'Fetched by', width: '20%', cell: ({ component }) => component },
  { title: 'Why', cell: ({ reason }) => reason },
];

const Host = ({ entry: { host, status } }: { entry: EgressRow }) => (
  <Group gap="2px 8px">
    <Text span fz="sm" td={status === 'retired' ? 'line-through' : undefined}>
      <Name text={host} />
    </Text>
    {status === 'retired' && (
      <Badge variant="default" size="sm" tt="none">
        may be closed
      </Badge>
    )}
  </Group>
);

const EntryDetails = ({ entry }: { entry: EgressRow }) => (
  <Facts
    facts={[
      ['From', <ValueRow key="from" values={entry.from} none="nowhere" />],
      ['Redirected by', entry.redirectOf],
      ['Replaced by', someOf(entry.replacedBy)],
      ['Paths', someOf(entry.paths)],
      ['Images', someOf(entry.images)],
      ['Requirement', <ReferenceLink key="row" name={entry.requirement} />],
      [
        'Clusters',
        <ClusterLinks
          key="clusters"
          values={entry.clusters}
          total={entry.clusterCount}
          shown={60}
          none="The platform itself"
        />,
      ],
    ]}
  />
);

const someOf = (values: readonly string[]) => (values.length === 0 ? undefined : <ValueRow values={values} />);
