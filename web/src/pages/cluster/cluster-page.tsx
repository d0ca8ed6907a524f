import { Alert, Stack, Tabs } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useApi } from '../../api/queries.ts';
import type { ClusterDetail } from '../../api/types.ts';
import { sentence } from '../../components/format.ts';
import { Health, healthOfCluster } from '../../components/health.tsx';
import { phaseWords } from '../../components/health-words.ts';
import { Needs } from '../../components/needs.tsx';
import { Loaded } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';
import { FindingList } from '../findings/finding-card.tsx';
import { DeleteCluster, EditCluster } from './actions.tsx';
import { ComponentsTab } from './components-tab.tsx';
import { ConnectionsTab } from './connections-tab.tsx';
import { Kubeconfig } from './kubeconfig.tsx';
import { KubeconfigsTab, NotOurs } from './kubeconfigs-tab.tsx';
import { PathTab } from './path-tab.tsx';
import { StartSteps, StartTimings } from './start-steps.tsx';

const tabs: readonly { value: string; label: string; show: (cluster: ClusterDetail, at: number) => ReactNode }[] = [
  { value: 'path', label: 'Path', show: (cluster, at) => <PathTab cluster={cluster} at={at} /> },
  { value: 'components', label: 'Components', show: (cluster) => <ComponentsTab components={cluster.components} /> },
  { value: 'connections', label: 'Connections', show: (cluster) => <ConnectionsTab name={cluster.name} /> },
  {
    value: 'kubeconfigs',
    label: 'Kubeconfigs',
    show: (cluster) => (cluster.managed ? <KubeconfigsTab name={cluster.name} /> : <NotOurs />),
  },
  { value: 'needs', label: 'Needs', show: (cluster) => <Needs needs={cluster} /> },
];

/** Traffic moves all the time. What was read of another cluster must not stand in for this one. */
const live = { refetchInterval: 3_000, placeholderData: undefined };

export function ClusterPage() {
  const { name = '' } = useParams<{ name: string }>();
  const [isLeaving, setLeaving] = useState(false);
  const query = useApi<ClusterDetail>(`/clusters/${encodeURIComponent(name)}`, {}, { ...live, enabled: !isLeaving });
  const cluster = query.data;
  return (
    <Page
      title={name}
      mark={cluster && <Readiness cluster={cluster} />}
      about={cluster && summaryOf(cluster)}
      actions={
        cluster && (
          <>
            {cluster.managed && <Kubeconfig name={name} />}
            <EditCluster name={name} />
            <DeleteCluster name={name} onLeaving={setLeaving} />
          </>
        )
      }
    >
      <Loaded query={query}>{(body) => <Contents cluster={body} at={query.dataUpdatedAt} />}</Loaded>
    </Page>
  );
}

const Readiness = ({ cluster }: { cluster: ClusterDetail }) => (
  <Health
    state={healthOfCluster(cluster)}
    text={cluster.ready || cluster.managed ? phaseWords[cluster.phase] : 'External control plane'}
    size={18}
  />
);

function summaryOf({ version, strategy, datacenter, seed, nodes }: ClusterDetail): string {
  const workers = nodes === undefined ? [] : [`${nodes.ready} of ${nodes.total} nodes ready`];
  return [`Kubernetes ${version}`, strategy, `workers in ${datacenter}`, `seed ${seed}`, ...workers].join(' · ');
}

function Contents({ cluster, at }: { cluster: ClusterDetail; at: number }) {
  const { tab = 'path' } = useParams<{ tab?: string }>();
  const [, navigate] = useLocation();
  const address = `/clusters/${encodeURIComponent(cluster.name)}`;
  return (
    <Stack gap="md">
      {cluster.steps !== undefined && <StartSteps phase={cluster.phase} steps={cluster.steps} />}
      {cluster.timings !== undefined && <StartTimings timings={cluster.timings} />}
      {cluster.reason !== undefined && cluster.phase === 'failing' && (
        <Alert
          color={cluster.managed ? 'red' : 'orange'}
          icon={<IconInfoCircle />}
          p="sm"
          title={sentence(cluster.reason)}
        >
          {cluster.fix !== undefined && sentence(cluster.fix)}
        </Alert>
      )}
      <FindingList findings={cluster.problems} />
      <Tabs value={tab} onChange={(wanted) => navigate(`${address}/${wanted}`)} keepMounted={false}>
        <Tabs.List style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, show }) => (
          <Tabs.Panel key={value} value={value} pt="md">
            {show(cluster, at)}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
