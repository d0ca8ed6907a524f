import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconPlus, IconServer2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { ClusterRow } from '../../api/types.ts';
import { useMay } from '../../api/use-api.ts';
import type { Column } from '../../components/data-table/data-table.tsx';
import { FilterBar, TextFilter } from '../../components/data-table/filters.tsx';
import { Listed } from '../../components/data-table/listed.tsx';
import { Health } from '../../components/health.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { bytes, count } from '../../components/units.ts';

const columns: readonly Column<ClusterRow>[] = [
  {
    title: 'Cluster',
    width: '24%',
    cell: ({ name, seed, datacenter }) => (
      <>
        <Anchor component={Link} href={`/clusters/${encodeURIComponent(name)}`} fw={600} fz="sm">
          {name}
        </Anchor>
        <Text fz="xs" c="dimmed">
          {datacenter}, seed {seed}
        </Text>
      </>
    ),
  },
  {
    title: 'Health',
    width: '20%',
    cell: ({ ready, reason, managed }) => (
      <>
        <Health
          state={ready ? 'good' : managed ? 'bad' : 'idle'}
          text={ready ? 'Ready' : managed ? 'Not ready' : 'External'}
        />
        <Text fz="xs" c="dimmed">
          {reason}
        </Text>
      </>
    ),
  },
  { title: 'Strategy', cell: ({ strategy }) => strategy },
  { title: 'Version', cell: ({ version }) => version },
  { title: 'Nodes', cell: ({ nodes }) => nodes && `${nodes.ready} of ${nodes.total}` },
  {
    title: 'Endpoint',
    width: '20%',
    cell: ({ endpoint }) => (
      <Text ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
        {endpoint ?? 'not known yet'}
      </Text>
    ),
  },
  { title: 'Traffic', cell: ({ traffic }) => <span className="figures">{trafficText(traffic)}</span> },
  {
    title: 'Findings',
    cell: ({ name, findings }) =>
      findings === 0 ? (
        ''
      ) : (
        <Anchor component={Link} href={`/findings?q=${encodeURIComponent(`Cluster/${name}`)}`} fz="sm">
          {count(findings, 'finding')}
        </Anchor>
      ),
  },
];

const trafficText = (traffic: ClusterRow['traffic']): string =>
  traffic === undefined ? '' : `${traffic.open} open, ${bytes(traffic.bytesIn + traffic.bytesOut)}`;

export const ClustersPage = () => (
  <Page title="Clusters" about="All clusters of the platform, wherever their workers are" actions={<NewCluster />}>
    <Stack gap="sm">
      <FilterBar names={['q']}>
        <TextFilter name="q" label="Search" placeholder="Name, datacenter, strategy, version" />
      </FilterBar>
      <Listed<ClusterRow>
        path="/clusters"
        filters={['q']}
        label="Clusters"
        columns={columns}
        keyOf={({ name }) => name}
        empty={
          <Notice icon={IconServer2} title="There is no cluster yet">
            Create one here, or write a manifest of the kind Cluster into the directory: it is picked up at once.
          </Notice>
        }
      />
    </Stack>
  </Page>
);

function NewCluster() {
  if (!useMay('operator')) return null;
  return (
    <Button component={Link} href="/create-cluster" leftSection={<IconPlus size={16} />}>
      New cluster
    </Button>
  );
}
