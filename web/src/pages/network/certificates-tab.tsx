import { Stack, Text, Tooltip } from '@mantine/core';
import { IconCertificate } from '@tabler/icons-react';
import type { CertificateRow } from '../../api/types.ts';
import { type Column, Listed } from '../../components/data-table/data-table.tsx';
import { Facts } from '../../components/data-table/facts.tsx';
import { SearchBar } from '../../components/data-table/filters.tsx';
import { ClusterLinks, ValueList, ValueRow } from '../../components/data-table/value-list.tsx';
import { DownloadMenu } from '../../components/download/download-menu.tsx';
import { span } from '../../components/format.ts';
import { Health, type HealthState } from '../../components/health.tsx';
import { Notice } from '../../components/notices.tsx';
import { ReferenceLink } from '../findings/reference/reference.tsx';

/** Certificates that must exist, for those who issue them. */
export const CertificatesTab = () => (
  <Stack gap="md">
    <SearchBar
      label="Search certificates"
      placeholder="Certificate, name, issuer"
      actions={<DownloadMenu names={['sans', 'openssl', 'cert-manager']} />}
    />
    <Listed<CertificateRow>
      path="/certificates"
      filters={['q']}
      label="Certificates"
      columns={columns}
      keyOf={({ name }) => name}
      details={(certificate) => <CertificateDetails certificate={certificate} />}
      empty={
        <Notice icon={IconCertificate} title="No certificates are planned yet">
          They follow from the Platform, its seeds and clusters.
        </Notice>
      }
    />
  </Stack>
);

const namesOf = ({ dnsNames, ips }: CertificateRow): readonly string[] => [...dnsNames, ...ips];

const columns: readonly Column<CertificateRow>[] = [
  {
    title: 'Certificate',
    width: '24%',
    cell: ({ name }) => (
      <Text span fz="sm" fw={500}>
        {name}
      </Text>
    ),
  },
  { title: 'Names', width: '36%', cell: (row) => <ValueList values={namesOf(row)} shown={3} none="none" /> },
  { title: 'Ends', width: '14%', cell: ({ notAfter }) => <Expiry notAfter={notAfter} /> },
  { title: 'Issued by', cell: ({ issuedBy }) => issuedBy },
];

const CertificateDetails = ({ certificate }: { certificate: CertificateRow }) => (
  <Facts
    facts={[
      ['Served by', certificate.place],
      ['Names', <ValueRow key="names" values={certificate.dnsNames} none="none" />],
      ['Addresses', <ValueRow key="ips" values={certificate.ips} none="none" />],
      ['Requirement', <ReferenceLink key="row" name={certificate.requirement} />],
      [
        'Clusters',
        <ClusterLinks
          key="clusters"
          values={certificate.clusters}
          total={certificate.clusterCount}
          shown={60}
          none="The platform itself"
        />,
      ],
    ]}
  />
);

const day = 86_400_000;
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/** Ours are renewed long before this; one that comes so near has not been. */
const soon = 7 * day;

/** When a certificate ends, where the platform serves it and so can know. */
export function Expiry({ notAfter }: { notAfter: number | undefined }) {
  if (notAfter === undefined) {
    return (
      <Text span fz="sm" c="dimmed">
        not served here
      </Text>
    );
  }
  const left = notAfter - Date.now();
  return (
    <Tooltip label={whole.format(notAfter)}>
      <span>
        <Health state={stateOf(left)} text={left > 0 ? `in ${span(left)}` : `${span(-left)} ago`} />
      </span>
    </Tooltip>
  );
}

const stateOf = (left: number): HealthState => (left <= 0 ? 'bad' : left < soon ? 'warn' : 'good');
