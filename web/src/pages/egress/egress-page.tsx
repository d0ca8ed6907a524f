import { IconListCheck, IconRoute } from '@tabler/icons-react';
import { TabbedPage, type TabOfPage } from '../network/tabbed-page.tsx';
import { AllowListTab } from './allow-list-tab.tsx';
import { ProxyTab } from './proxy-tab.tsx';

const tabs: readonly TabOfPage[] = [
  { id: 'allow-list', title: 'Allow-list', icon: IconListCheck, panel: AllowListTab },
  { id: 'proxy', title: 'Effective proxy', icon: IconRoute, panel: ProxyTab },
];

export const EgressPage = () => (
  <TabbedPage
    title="Egress"
    about="What the platform fetches from outside, and by which proxy each place does so."
    home="/egress"
    tabs={tabs}
  />
);
