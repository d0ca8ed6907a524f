import { Button, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus, IconTopologyStar3 } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { Topology, TopologyEdge } from '../../api/types.ts';
import { useApi, useMay, useSummary } from '../../api/use-api.ts';
import { useUrlState } from '../../components/data-table/url-state.ts';
import { HopTable } from '../../components/hops/hop-table.tsx';
import { useRates } from '../../components/hops/use-rates.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { count } from '../../components/units.ts';
import { bundlesOf } from './bundles.ts';
import { ClusterFilter } from './cluster-filter.tsx';
import { withCrowds } from './crowds.ts';
import { FailingHops } from './failing-hops.tsx';
import { HopsDrawer } from './hops-drawer.tsx';
import { Picture } from './picture.tsx';

/** Traffic changes all the time without the platform telling so. */
const everyMs = 2_000;
const nothing: Topology['edges'] = [];

export function TopologyPage() {
  const { cluster, view, set } = useAddress();
  const query = useApi<Topology>('/topology', { cluster }, { refetchInterval: everyMs });
  return (
    <Page
      title="Topology"
      about={query.data?.edges.length ? summaryOf(query.data) : 'How users and workers reach each control plane'}
      actions={
        <>
          <ClusterFilter value={cluster} onChange={(name) => set({ cluster: name })} />
          <SegmentedControl
            aria-label="Show as"
            data={[
              { value: 'picture', label: 'Picture' },
              { value: 'table', label: 'Table' },
            ]}
            value={view}
            onChange={(wanted) => set({ view: wanted })}
          />
        </>
      }
    >
      <Loaded query={query} lines={10}>
        {(topology) =>
          topology.edges.length === 0 ? <NoClusters /> : <Contents topology={topology} at={query.dataUpdatedAt} />
        }
      </Loaded>
    </Page>
  );
}

/** What is shown is in the address, so that it can be sent to others. */
function useAddress() {
  const { get, set } = useUrlState();
  // A phone gets the table unless it asks for the picture.
  const wide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const view = get('view') || (wide ? 'picture' : 'table');
  return { cluster: get('cluster') || undefined, edge: get('edge'), view, set };
}

function Contents({ topology, at }: { topology: Topology; at: number }) {
  const { edge, view, set } = useAddress();
  const rates = useRates(topology.edges, at);
  // Then that is the reason, and everybody is told above.
  const gettingPrograms = (useSummary().data?.programs.length ?? 0) > 0;
  const drawing = useMemo(() => withCrowds(topology), [topology]);
  const titles = new Map(drawing.nodes.map(({ id, title }) => [id, title]));
  const titleOf = (id: string): string => titles.get(id) ?? id;
  const open = bundlesOf(drawing.edges).find(({ id, hops }) => id === edge || hops.some((hop) => hop.id === edge));
  const hops = open?.id === edge ? open?.hops : open?.hops.filter(({ id }) => id === edge);
  return (
    <>
      {!gettingPrograms && <FailingHops hops={topology.edges} titleOf={titleOf} onOpen={(id) => set({ edge: id })} />}
      {view === 'table' ? (
        <HopTable hops={topology.edges} rates={rates} titleOf={titleOf} onOpen={(id) => set({ edge: id })} />
      ) : (
        <Picture drawing={drawing} rates={rates} onOpen={({ id }) => set({ edge: id })} />
      )}
      <HopsDrawer
        title={open === undefined ? '' : `${titleOf(open.from)} → ${titleOf(open.to)}`}
        hops={hops?.toSorted(brokenFirst) ?? nothing}
        rates={rates}
        onClose={() => set({ edge: undefined })}
      />
    </>
  );
}

const brokenFirst = (a: TopologyEdge, b: TopologyEdge): number =>
  Number(b.healthy === false) - Number(a.healthy === false);

function summaryOf({ nodes, edges, aggregated }: Topology): string {
  const clusters = nodes.filter(({ kind }) => kind === 'cluster');
  const total = clusters.reduce((sum, node) => sum + (node.count ?? 1), 0);
  return `${count(total, 'cluster')}${aggregated ? ', shown per datacenter' : ''}; ${connectionsText(edges, aggregated)}`;
}

/** That all work is said when all were seen to work, and not when nothing is known to fail. */
function connectionsText(edges: readonly TopologyEdge[], aggregated: boolean): string {
  const failing = edges.filter(({ healthy }) => healthy === false).length;
  const starting = edges.filter((edge) => edge.starting).length;
  const working = edges.filter(({ healthy }) => healthy === true).length;
  if (failing > 0) return aggregated ? 'some connections fail' : `${count(failing, 'connection')} failing`;
  if (starting > 0) return aggregated ? 'some connections are starting' : `${count(starting, 'connection')} starting`;
  return working === edges.length
    ? 'all connections work'
    : `${working} of ${count(edges.length, 'connection')} seen to work`;
}

function NoClusters() {
  const may = useMay('operator');
  return (
    <Notice icon={IconTopologyStar3} title="There is nothing to draw yet">
      <p>Clusters and the ways to them appear here as soon as the manifests have one.</p>
      {may && (
        <Button component={Link} href="/create-cluster" leftSection={<IconPlus size={16} />}>
          New cluster
        </Button>
      )}
    </Notice>
  );
}
