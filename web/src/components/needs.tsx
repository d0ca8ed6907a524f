// What a cluster asks of others: connections, names, certificates, addresses.
import { Badge, Code, Group, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CertificateRow, DnsRow, DryRun, FlowRow } from '../api/types.ts';
import { Section } from './section.tsx';

export const Needs = ({ needs }: { needs: DryRun['needs'] }) => (
  <Stack gap="sm">
    <Part title="Connections" asked="firewall" none="No connection of its own.">
      {needs.flows.map((flow) => (
        <Flow key={flow.id} flow={flow} />
      ))}
    </Part>
    <Part title="Names" asked="DNS" none="No name of its own.">
      {needs.dns.map((record) => (
        <Name key={`${record.name} ${record.requirement}`} record={record} />
      ))}
    </Part>
    <Part
      title="Addresses"
      asked="pools and ports"
      none="No address or port of its own: it shares those of the gateway."
    >
      {needs.addresses.map(({ pool, addresses, locked }) => (
        <Line key={pool} about={locked ? undefined : 'proposed; fixed when the cluster is created'}>
          <Codes texts={addresses} /> <Text span>from {pool}</Text>
        </Line>
      ))}
    </Part>
    <Part title="Certificates" asked="issued for it" none="No certificate of its own.">
      {needs.certificates.map((certificate) => (
        <Certificate key={certificate.name} certificate={certificate} />
      ))}
    </Part>
  </Stack>
);

interface PartProps {
  readonly title: string;
  readonly asked: string;
  /** Said where there is nothing. */
  readonly none: string;
  readonly children: readonly ReactNode[];
}

const Part = ({ title, asked, none, children }: PartProps) => (
  <Section
    title={title}
    about={
      <Group gap={6}>
        {asked}
        <Badge variant="default" size="sm" aria-label={`${children.length} in all`}>
          {children.length}
        </Badge>
      </Group>
    }
  >
    {children.length === 0 ? (
      <Text fz="sm" c="dimmed">
        {none}
      </Text>
    ) : (
      <List listStyleType="none" spacing={8} fz="sm">
        {children}
      </List>
    )}
  </Section>
);

const Line = ({ about, children }: { about?: string | undefined; children: ReactNode }) => (
  <List.Item styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}>
    <Text fz="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
    {about !== undefined && (
      <Text fz="xs" c="dimmed">
        {about}
      </Text>
    )}
  </List.Item>
);

const Codes = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text) => (
    <Code key={text} mr={4}>
      {text}
    </Code>
  ));

const Flow = ({ flow }: { flow: FlowRow }) => (
  <Line about={flow.reason}>
    {flow.fromTitle} → {flow.toTitle}{' '}
    <Code>
      {flow.protocol} {flow.ports.length === 0 ? 'all ports' : flow.ports.join(', ')}
    </Code>
  </Line>
);

const Name = ({ record }: { record: DnsRow }) => (
  <Line about={record.reason}>
    <Code>{record.name}</Code> → {record.hostname ?? (record.addresses.join(', ') || 'its address is not known yet')}
  </Line>
);

const Certificate = ({ certificate: { name, dnsNames, ips, issuedBy } }: { certificate: CertificateRow }) => (
  <Line about={issuedBy}>
    {name}: <Codes texts={[...dnsNames, ...ips]} />
  </Line>
);
