import { Anchor, AppShell, Box, Burger, Group, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { Banners } from './banners.tsx';
import { ThemeSwitch, UserMenu } from './menus.tsx';
import { Navigation, PlatformCard } from './navigation.tsx';
import { Search } from './search.tsx';

export function Shell({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of a phone closes whenever the page changes
  useEffect(close, [location]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <Anchor href="#content" className="skip-link">
        Skip to the content
      </Anchor>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="sm">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Brand />
          </Group>
          <Group gap={6} wrap="nowrap">
            <Search />
            <ThemeSwitch />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <ScrollArea flex={1}>
          <Navigation />
        </ScrollArea>
        <PlatformCard />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <Banners />
        <Box maw={1440} mx="auto">
          {children}
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

const Brand = () => (
  <UnstyledButton component={Link} href="/" aria-label="Causeway, to the topology">
    <Group gap={8} wrap="nowrap">
      <img src="/favicon.svg" width={26} height={26} alt="" />
      <Text fw={650} fz="lg" visibleFrom="xs">
        Causeway
      </Text>
    </Group>
  </UnstyledButton>
);
