import { IconArrowsRightLeft, IconCertificate, IconListNumbers, IconWorld } from '@tabler/icons-react';
import { DownloadMenu } from '../../components/download/download-menu.tsx';
import { AddressesTab } from './addresses-tab.tsx';
import { CertificatesTab } from './certificates-tab.tsx';
import { DnsTab } from './dns-tab.tsx';
import { MatrixTab } from './matrix-tab.tsx';
import { TabbedPage, type TabOfPage } from './tabbed-page.tsx';

const tabs: readonly TabOfPage[] = [
  { id: 'matrix', title: 'Matrix', icon: IconArrowsRightLeft, panel: MatrixTab },
  { id: 'dns', title: 'DNS', icon: IconWorld, panel: DnsTab },
  { id: 'certificates', title: 'Certificates', icon: IconCertificate, panel: CertificatesTab },
  { id: 'addresses', title: 'Addresses', icon: IconListNumbers, panel: AddressesTab },
];

export const NetworkPage = () => (
  <TabbedPage
    title="Network"
    about="What firewall, DNS, PKI and address teams are asked for, computed from the manifests."
    home="/network"
    tabs={tabs}
    actions={<DownloadMenu label="All files" />}
  />
);
