import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconPlus, IconServer2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useHasRole } from '../../api/queries.ts';
import type { ClusterRow } from '../../api/types.ts';
import { type Column, Listed } from '../../components/data-table/data-table.tsx';
import { SearchBar } from '../../components/data-table/filters.tsx';
import { Name } from '../../components/data-table/value-list.tsx';
import { bytes, count } from '../../components/format.ts';
import { Health, healthOfCluster } from '../../components/health.tsx';
import { phaseWords } from '../../components/health-words.ts';
import { Notice } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';

/** "4 of 9: API server" */
function currentStep(steps: ClusterRow['steps'] = []): string | undefined {
  const at = steps.findIndex(({ state }) => state === 'active');
  return at < 0 ? undefined : `Step ${at + 1} of ${steps.length}: ${steps[at]?.title}`;
}

const columns: readonly Column<ClusterRow>[] = [
  {
    title: 'Cluster',
    width: '20%',
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
    width: '22%',
    cell: ({ name, phase, ready, reason, managed, findings, steps }) => (
      <>
        <Health state={healthOfCluster({ phase, managed })} text={ready || managed ? phaseWords[phase] : 'External'} />
        <Text fz="xs" c="dimmed">
          {phase === 'starting' ? (currentStep(steps) ?? reason) : reason}
        </Text>
        {findings > 0 && (
          <Anchor component={Link} href={`/findings?q=${encodeURIComponent(`Cluster/${name}`)}`} fz="xs">
            {count(findings, 'finding')}
          </Anchor>
        )}
      </>
    ),
  },
  {
    title: 'Strategy',
    width: '14%',
    cell: ({ strategy, version }) => <TwoLines first={strategy} second={`Kubernetes ${version}`} />,
  },
  { title: 'Nodes', width: '8%', cell: ({ nodes }) => nodes && `${nodes.ready} of ${nodes.total}` },
  {
    title: 'Endpoint',
    cell: ({ endpoint }) => (
      <Text fz="xs" component="div">
        {endpoint === undefined ? 'not known yet' : <Name text={endpoint} />}
      </Text>
    ),
  },
  {
    title: 'Traffic',
    width: '12%',
    cell: ({ traffic }) =>
      traffic && <TwoLines first={`${traffic.open} open`} second={bytes(traffic.bytesIn + traffic.bytesOut)} />,
  },
];

const TwoLines = ({ first, second }: { first: string; second: string }) => (
  <span className="figures">
    {first}
    <Text fz="xs" c="dimmed">
      {second}
    </Text>
  </span>
);

export const ClustersPage = () => (
  <Page title="Clusters" about="All clusters of the platform, wherever their workers are" actions={<NewCluster />}>
    <Stack gap="sm">
      <SearchBar label="Search" placeholder="Name, datacenter, strategy, version" />
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
  if (!useHasRole('operator')) return null;
  return (
    <Button component={Link} href="/create-cluster" leftSection={<IconPlus size={16} />}>
      New cluster
    </Button>
  );
}
