import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import type { TopologyEdge } from '../../api/types.ts';
import { ReferenceLink } from '../../pages/findings/reference/reference.tsx';
import { Copyable } from '../copyable.tsx';
import { type Fact, Facts } from '../data-table/facts.tsx';
import { bytes, count, portText, rate, sentence } from '../format.ts';
import { Health, healthOf } from '../health.tsx';
import { useNow } from '../use-now.ts';
import { lastWorkedText, type Rate } from './rates.ts';

/** All about one hop: whether it works, why not and what to do, what the firewall must let through and who opens that. */
export function HopDetails({ hop, pace }: { hop: TopologyEdge; pace: Rate | undefined }) {
  const now = useNow();
  const [one, ...more] = hop.flows;
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {hop.title}
        </Text>
        <Health state={healthOf(hop)} />
      </Group>
      {hop.why !== undefined && (
        <Alert color={hop.starting ? 'blue' : 'red'} p="sm" icon={<IconTool />} title={sentence(hop.why)}>
          {hop.fix !== undefined && sentence(hop.fix)}
        </Alert>
      )}
      <Facts
        facts={[...dialFacts(hop, now), ...trafficFacts(hop, pace), ...(one === undefined ? [] : flowFacts(one))]}
      />
      {more.map((flow) => (
        <Facts key={flow.id} facts={flowFacts(flow)} />
      ))}
    </Stack>
  );
}

const dialFacts = ({ address, ports, seenFrom, count: hops, ...seen }: TopologyEdge, now: number): Fact[] => [
  ['Stands for', hops === undefined ? undefined : count(hops, 'connection')],
  ['Dials', address && <Copyable text={address} what="the address" />],
  ['Ports', ports.length === 0 ? undefined : portText({ protocol: 'tcp', ports })],
  ['Seen from', seenFrom],
  ['Last worked', lastWorkedText(seen, now)],
];

/** Addresses of one end that are spelled out; the Network page has all of them. */
const shown = 4;

function flowFacts(flow: TopologyEdge['flows'][number]): Fact[] {
  const some = (addresses: readonly string[]): string =>
    [...addresses.slice(0, shown), ...(addresses.length > shown ? [`${addresses.length - shown} more`] : [])].join(
      ', ',
    );
  return [
    ['Flow', `${flow.fromTitle} → ${flow.toTitle}`],
    ['Firewall opens', portText(flow)],
    ['From', some(flow.source) || 'any'],
    ['To', some(flow.destination) || 'not known yet'],
    ['Why', flow.reason],
    ['Opened by', flow.openedBy ?? 'nobody is named in the Platform (spec.access)'],
    ['Requirement', <ReferenceLink key="row" name={flow.requirement} />],
  ];
}

function trafficFacts({ traffic }: TopologyEdge, pace: Rate | undefined): Fact[] {
  if (traffic === undefined) return [];
  const figures = (text: string) => <span className="figures">{text}</span>;
  return [
    ['Now', pace && figures(`${rate(pace.in)} in, ${rate(pace.out)} out`)],
    ['Open', figures(count(traffic.open, 'connection'))],
    ['So far', figures(`${count(traffic.accepted, 'connection')}, ${traffic.refused.toLocaleString('en')} refused`)],
    ['Bytes', figures(`${bytes(traffic.bytesIn)} in, ${bytes(traffic.bytesOut)} out`)],
  ];
}
