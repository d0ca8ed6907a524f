import { Stack, Text } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import type { DnsRow } from '../../api/types.ts';
import { type Column, Listed } from '../../components/data-table/data-table.tsx';
import { Facts } from '../../components/data-table/facts.tsx';
import { SearchBar } from '../../components/data-table/filters.tsx';
import { ClusterLinks, Name, ValueList, ValueRow } from '../../components/data-table/value-list.tsx';
import { DownloadMenu } from '../../components/download/download-menu.tsx';
import { Health } from '../../components/health.tsx';
import { Notice } from '../../components/notices.tsx';
import { ReferenceLink } from '../findings/reference/reference.tsx';

/** Names that must exist, for those who keep the zone. Whether they do is not looked up. */
export const DnsTab = () => (
  <Stack gap="md">
    <SearchBar
      label="Search names"
      placeholder="Name, address, cluster"
      actions={<DownloadMenu names={['zone', 'dnsendpoint']} />}
    />
    <Listed<DnsRow>
      path="/dns"
      filters={['q']}
      label="DNS records"
      columns={columns}
      keyOf={({ name, place }) => `${name} ${place}`}
      details={(record) => <RecordDetails record={record} />}
      empty={
        <Notice icon={IconWorld} title="No names are needed">
          Clusters that are reached by address need none. Names follow from the domain of the Platform.
        </Notice>
      }
    />
  </Stack>
);

const targetsOf = ({ addresses, hostname }: DnsRow): readonly string[] =>
  hostname === undefined ? addresses : [hostname];

const columns: readonly Column<DnsRow>[] = [
  {
    title: 'Name',
    width: '36%',
    cell: ({ name }) => <Name text={name} />,
  },
  { title: 'Target', width: '20%', cell: (record) => <ValueList values={targetsOf(record)} none="not known yet" /> },
  {
    title: 'State',
    width: '14%',
    cell: ({ phase }) => (
      <>
        <Health state="idle" text="Not checked" />
        <Text fz="xs" c="dimmed">
          {phase === 'target' ? 'can be created' : 'has no target yet'}
        </Text>
      </>
    ),
  },
  { title: 'Why', cell: ({ reason }) => reason },
];

const RecordDetails = ({ record }: { record: DnsRow }) => (
  <Facts
    facts={[
      ['Points to', record.place],
      ['Targets', <ValueRow key="targets" values={targetsOf(record)} none="not known yet" />],
      ['Kept for', `${record.ttl} seconds`],
      ['May change', record.dynamic ? 'Its cloud may change the addresses at any time.' : undefined],
      ['Requirement', <ReferenceLink key="row" name={record.requirement} />],
      [
        'Clusters',
        <ClusterLinks
          key="clusters"
          values={record.clusters}
          total={record.clusterCount}
          shown={60}
          none="The platform itself"
        />,
      ],
    ]}
  />
);
