import { Stack, Text } from '@mantine/core';
import { IconCertificate } from '@tabler/icons-react';
import type { CertificateRow } from '../../api/types.ts';
import type { Column } from '../../components/data-table/data-table.tsx';
import { Facts } from '../../components/data-table/facts.tsx';
import { FilterBar, TextFilter } from '../../components/data-table/filters.tsx';
import { Listed } from '../../components/data-table/listed.tsx';
import { ClusterLinks, Many, ManyInRow } from '../../components/data-table/many.tsx';
import { DownloadMenu } from '../../components/download/download-menu.tsx';
import { Notice } from '../../components/notice.tsx';
import { ReferenceLink } from '../findings/reference/reference.tsx';
import { Expiry } from './expiry.tsx';

/** Certificates that must exist, for those who issue them. */
export const CertificatesTab = () => (
  <Stack gap="md">
    <FilterBar names={['q']} actions={<DownloadMenu names={['sans', 'openssl', 'cert-manager']} />}>
      <TextFilter name="q" label="Search certificates" placeholder="Certificate, name, issuer" />
    </FilterBar>
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
  { title: 'Names', width: '36%', cell: (row) => <Many values={namesOf(row)} shown={3} none="none" /> },
  { title: 'Ends', width: '14%', cell: ({ notAfter }) => <Expiry notAfter={notAfter} /> },
  { title: 'Issued by', cell: ({ issuedBy }) => issuedBy },
];

const CertificateDetails = ({ certificate }: { certificate: CertificateRow }) => (
  <Facts
    facts={[
      ['Served by', certificate.place],
      ['Names', <ManyInRow key="names" values={certificate.dnsNames} none="none" />],
      ['Addresses', <ManyInRow key="ips" values={certificate.ips} none="none" />],
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
