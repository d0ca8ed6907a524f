import { Anchor, Stack, Table, Text } from '@mantine/core';
import type { TopologyEdge } from '../../api/types.ts';
import { Health, healthOf } from '../health.tsx';
import { ago, rate } from '../units.ts';
import { useNow } from '../use-now.ts';
import type { Rates } from './rates.ts';

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
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table verticalSpacing={8} highlightOnHover aria-label="Connections">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Connection</Table.Th>
            <Table.Th>Health</Table.Th>
            <Table.Th visibleFrom="sm">Dials</Table.Th>
            <Table.Th visibleFrom="sm">Traffic</Table.Th>
            <Table.Th visibleFrom="md">Last worked</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {hops.map((hop) => (
            <Table.Tr key={hop.id}>
              <Table.Td>
                <Anchor component="button" type="button" fz="sm" ta="left" onClick={() => onOpen(hop.id)}>
                  {hop.title}
                </Anchor>
                <Text fz="xs" c="dimmed">
                  {titleOf(hop.from)} → {titleOf(hop.to)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Stack gap={0}>
                  <Health state={healthOf(hop.healthy)} />
                  {hop.why !== undefined && (
                    <Text fz="xs" c="dimmed">
                      {hop.why}
                    </Text>
                  )}
                </Stack>
              </Table.Td>
              <Table.Td visibleFrom="sm" ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
                {hop.address}
              </Table.Td>
              <Table.Td visibleFrom="sm" className="figures" style={{ whiteSpace: 'nowrap' }}>
                {trafficText(hop, rates)}
              </Table.Td>
              <Table.Td visibleFrom="md">{hop.lastWorked === undefined ? '' : ago(hop.lastWorked, now)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function trafficText({ id, traffic }: TopologyEdge, rates: Rates): string {
  if (traffic === undefined) return '';
  const pace = rates.get(id);
  return pace === undefined ? `${traffic.open} open` : `${rate(pace.in + pace.out)}, ${traffic.open} open`;
}
