// What a cluster asks of others: connections, names, certificates, addresses.

import { Badge, Code, Group, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CertificateRow, DnsRow, DryRun, FlowRow } from '../api/types.ts';
import { Name, ValueRow } from './data-table/value-list.tsx';
import { joinReasons, portText } from './format.ts';
import { Section } from './page.tsx';

export const Needs = ({ needs }: { needs: DryRun['needs'] }) => (
  <Stack gap="sm">
    <Part title="Connections" none="No connection of its own.">
      {[...Map.groupBy(needs.flows, sameWay)].map(([way, flows]) => (
        <Way key={way} flows={flows} />
      ))}
    </Part>
    <Part title="Names" none="No name of its own.">
      {needs.dns.map((record) => (
        <DnsName key={`${record.name} ${record.requirement}`} record={record} />
      ))}
    </Part>
    <Part title="Addresses and ports" none="None of its own: it shares those of the gateway.">
      {needs.addresses.map(({ pool, addresses, locked }) => (
        <Line
          key={pool}
          about={locked ? `from ${pool}` : `from ${pool}; proposed, and kept once the cluster is created`}
        >
          <ValueRow values={addresses} />
        </Line>
      ))}
    </Part>
    <Part title="Certificates" none="No certificate of its own.">
      {needs.certificates.map((certificate) => (
        <Certificate key={certificate.name} certificate={certificate} />
      ))}
    </Part>
  </Stack>
);

interface PartProps {
  readonly title: string;
  /** Said where there is nothing. */
  readonly none: string;
  readonly children: readonly ReactNode[];
}

const Part = ({ title, none, children }: PartProps) => (
  <Section
    title={title}
    about={
      <Badge variant="default" size="sm" aria-label={`${children.length} in all`}>
        {children.length}
      </Badge>
    }
  >
    {children.length === 0 ? (
      <Text fz="sm" c="dimmed">
        {none}
      </Text>
    ) : (
      <List
        listStyleType="none"
        spacing={8}
        fz="sm"
        styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}
      >
        {children}
      </List>
    )}
  </Section>
);

const Line = ({ about, children }: { about?: string; children: ReactNode }) => (
  <List.Item>
    <Group gap="2px 8px" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Group>
    {about !== undefined && (
      <Text fz="xs" c="dimmed">
        {about}
      </Text>
    )}
  </List.Item>
);

/** One rule of a firewall may have several reasons. */
const sameWay = (flow: FlowRow): string => `${flow.from} ${flow.to} ${portText(flow)}`;

function Way({ flows }: { flows: readonly FlowRow[] }) {
  const [flow] = flows;
  if (flow === undefined) return null;
  return (
    <Line about={joinReasons(flows.map(({ reason }) => reason))}>
      <span>
        {flow.fromTitle} → {flow.toTitle}
      </span>
      <Code>{portText(flow)}</Code>
    </Line>
  );
}

const DnsName = ({ record }: { record: DnsRow }) => (
  <Line about={record.reason}>
    <Name text={record.name} />
    <span>→ {record.hostname ?? (record.addresses.join(', ') || 'its address is not known yet')}</span>
  </Line>
);

const Certificate = ({ certificate: { name, dnsNames, ips, issuedBy } }: { certificate: CertificateRow }) => (
  <Line about={`issued by ${issuedBy}`}>
    <span>{name}</span>
    <ValueRow values={[...dnsNames, ...ips]} shown={8} />
  </Line>
);
