import { Alert, Anchor, Button, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { IconCircleX, IconPlus, IconTopologyStar3 } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useApi, useHasRole, useSummary } from '../../api/queries.ts';
import type { ClusterPage, Topology, TopologyEdge } from '../../api/types.ts';
import { useUrlState } from '../../components/data-table/url-state.ts';
import { count } from '../../components/format.ts';
import { HopTable } from '../../components/hops/hop-table.tsx';
import { useRates } from '../../components/hops/use-rates.ts';
import { Loaded, Notice } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';
import { bundlesOf, withGroups } from './graph.ts';
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
  const drawing = useMemo(() => withGroups(topology), [topology]);
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
  const may = useHasRole('operator');
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

interface ClusterFilterProps {
  readonly value: string | undefined;
  readonly onChange: (name: string | undefined) => void;
}

/** One of perhaps ten thousand clusters: the server looks for it while one types. */
export function ClusterFilter({ value, onChange }: ClusterFilterProps) {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text === value ? '' : text, 200);
  const found = useApi<ClusterPage>('/clusters', { q, limit: 20 }).data?.items ?? [];
  const names = found.map(({ name }) => name);
  return (
    <Select
      aria-label="Only this cluster"
      placeholder="All clusters"
      w={190}
      data={value === undefined || names.includes(value) ? names : [value, ...names]}
      value={value ?? null}
      onChange={(name) => onChange(name ?? undefined)}
      searchable
      clearable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage="No such cluster"
    />
  );
}

const shown = 4;

interface FailingHopsProps {
  readonly hops: readonly TopologyEdge[];
  readonly titleOf: (id: string) => string;
  readonly onOpen: (id: string) => void;
}

/** What fails comes first: nobody should have to look for a red line. */
export function FailingHops({ hops, titleOf, onOpen }: FailingHopsProps) {
  const failing = hops.filter(({ healthy }) => healthy === false);
  if (failing.length === 0) return null;
  return (
    <Alert color="red" icon={<IconCircleX />} p="sm" title={headline(failing)}>
      <Stack gap={2}>
        {failing.slice(0, shown).map(({ id, from, to, title, why, count: many }) => (
          <Text key={id} fz="sm" component="div">
            <Anchor
              component="button"
              type="button"
              fz="sm"
              c="inherit"
              td="underline"
              ta="left"
              onClick={() => onOpen(id)}
            >
              {many === undefined ? title : `${titleOf(from)} → ${titleOf(to)}`}
            </Anchor>
            {why !== undefined && `: ${why}`}
          </Text>
        ))}
        {failing.length > shown && <Text fz="sm">and {failing.length - shown} more, in the table</Text>}
      </Stack>
    </Alert>
  );
}

const headline = (failing: readonly TopologyEdge[]): string =>
  failing.some((hop) => hop.count !== undefined)
    ? 'Some connections fail'
    : `${count(failing.length, 'connection')} ${failing.length === 1 ? 'fails' : 'fail'}`;
