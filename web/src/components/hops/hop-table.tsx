import { Anchor, Text } from '@mantine/core';
import type { TopologyEdge } from '../../api/types.ts';
import { type Column, DataTable } from '../data-table/data-table.tsx';
import { Name } from '../data-table/value-list.tsx';
import { rate } from '../format.ts';
import { Health, healthOf } from '../health.tsx';
import { useNow } from '../use-now.ts';
import { lastWorkedText, type Rates } from './rates.ts';

interface HopTableProps {
  readonly hops: readonly TopologyEdge[];
  readonly rates: Rates;
  /** What to call the node with this id. */
  readonly titleOf: (id: string) => string;
  readonly onOpen: (id: string) => void;
}

/** The picture in words: for screen readers, for phones, and for everybody who likes lists. */
export function HopTable({ hops, rates, titleOf, onOpen }: HopTableProps) {
  const now = useNow();
  const columns: Column<TopologyEdge>[] = [
    {
      title: 'Connection',
      width: '32%',
      cell: (hop) => (
        <>
          <Anchor component="button" type="button" fz="sm" ta="left" onClick={() => onOpen(hop.id)}>
            {hop.title}
          </Anchor>
          <Text fz="xs" c="dimmed">
            {titleOf(hop.from)} → {titleOf(hop.to)}
          </Text>
        </>
      ),
    },
    {
      title: 'Health',
      cell: (hop) => (
        <>
          <Health state={healthOf(hop)} />
          <Text fz="xs" c="dimmed">
            {hop.why ?? (hop.seenFrom && `seen from ${hop.seenFrom}`)}
          </Text>
        </>
      ),
    },
    {
      title: 'Dials',
      cell: ({ address }) =>
        address && (
          <Text fz="xs" component="div">
            <Name text={address} />
          </Text>
        ),
    },
    { title: 'Ports', cell: ({ ports }) => <span className="figures">{ports.join(', ')}</span> },
    { title: 'Traffic', cell: (hop) => hop.traffic && <span className="figures">{trafficText(hop, rates)}</span> },
    { title: 'Last worked', cell: (hop) => lastWorkedText(hop, now) },
  ];
  return <DataTable label="Connections" columns={columns} rows={hops} keyOf={({ id }) => id} />;
}

function trafficText({ id, traffic }: TopologyEdge, rates: Rates): string {
  if (traffic === undefined) return '';
  const pace = rates.get(id);
  return pace === undefined ? `${traffic.open} open` : `${rate(pace.in + pace.out)}, ${traffic.open} open`;
}
