import { Tabs } from '@mantine/core';
import type { IconWorld } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { NotFound } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';

export interface TabOfPage {
  /** Last part of its address. */
  readonly id: string;
  readonly title: string;
  readonly icon: typeof IconWorld;
  readonly panel: ComponentType;
}

interface TabbedPageProps {
  readonly title: string;
  readonly about: string;
  /** Address of the page, which is that of its first tab as well. */
  readonly home: string;
  readonly tabs: readonly TabOfPage[];
  readonly actions?: ReactNode;
}

/** A page of several lists. Each tab has an address, and filters do not follow from one to the other. */
export function TabbedPage({ home, tabs, ...page }: TabbedPageProps) {
  const { tab: asked } = useParams<{ tab?: string }>();
  const [, navigate] = useLocation();
  const open = asked === undefined ? tabs[0] : tabs.find(({ id }) => id === asked);
  if (open === undefined) return <NotFound />;
  const addressOf = (id: string | null): string => (id === null || id === tabs[0]?.id ? home : `${home}/${id}`);
  return (
    <Page {...page}>
      <Tabs value={open.id} onChange={(id) => navigate(addressOf(id))} keepMounted={false}>
        <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          {tabs.map(({ id, title, icon: Icon }) => (
            <Tabs.Tab key={id} value={id} leftSection={<Icon size={16} stroke={1.7} aria-hidden />}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={open.id}>
          <open.panel />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
