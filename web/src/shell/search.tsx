// Ctrl K: goes to a page or a cluster by typing a part of its name.

import { Box, Button, Group, Kbd, Modal, NavLink, ScrollArea, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconPlus, IconSearch, IconServer2 } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useApi } from '../api/queries.ts';
import type { ClusterPage } from '../api/types.ts';
import { routes } from '../routes.ts';

export function Search() {
  const [opened, { open, close }] = useDisclosure();
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        onClick={open}
        leftSection={<IconSearch size={15} />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        fw={400}
        c="dimmed"
        visibleFrom="sm"
      >
        Search
      </Button>
      <Button variant="subtle" color="gray" px={8} onClick={open} hiddenFrom="sm" aria-label="Search">
        <IconSearch size={18} />
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        withCloseButton={false}
        size="lg"
        padding={0}
        yOffset="12vh"
        attributes={{ content: { 'aria-label': 'Search' } }}
      >
        <SearchBox onChosen={close} />
      </Modal>
    </>
  );
}

/** The modal gives focus a while after it can be seen, and letters typed until then would be lost. */
const takeLetters = (input: HTMLInputElement | null): void => input?.focus();

function SearchBox({ onChosen }: { onChosen: () => void }) {
  const [text, setText] = useState('');
  const [slow] = useDebouncedValue(text.trim(), 150);
  const [at, setAt] = useState(0);
  const [, navigate] = useLocation();
  const results = useSearchResults(text.trim(), slow);
  const go = (hit: SearchResult | undefined): void => {
    if (hit === undefined) return;
    navigate(hit.href);
    onChosen();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + results.length) % Math.max(results.length, 1));
    }
    if (event.key === 'Enter') go(results[at]);
  };
  return (
    <>
      <TextInput
        size="md"
        variant="unstyled"
        px="md"
        py={6}
        placeholder="Page or cluster"
        aria-label="Search for a page or a cluster"
        role="combobox"
        aria-expanded
        aria-controls="search-results"
        aria-activedescendant={results[at] && `search-hit-${at}`}
        leftSection={<IconSearch size={18} />}
        data-autofocus
        ref={takeLetters}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ScrollArea.Autosize mah="50vh" style={{ borderTop: '1px solid var(--cw-line)' }}>
        <Box p="xs" id="search-results" role="listbox" aria-label="Found">
          {results.map((hit, index) => (
            <NavLink
              key={hit.href}
              id={`search-hit-${index}`}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              component="button"
              active={index === at}
              label={hit.title}
              description={hit.about}
              leftSection={<hit.icon size={18} stroke={1.7} />}
              onClick={() => go(hit)}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          ))}
        </Box>
        {results.length === 0 && (
          <Text c="dimmed" fz="sm" p="md" ta="center">
            Nothing has “{slow}” in its name.
          </Text>
        )}
      </ScrollArea.Autosize>
      <Group gap="xs" p="xs" px="md" style={{ borderTop: '1px solid var(--cw-line)' }} visibleFrom="sm">
        <Text c="dimmed" fz="xs">
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> to choose, <Kbd size="xs">Enter</Kbd> to open,{' '}
          <Kbd size="xs">Esc</Kbd> to close
        </Text>
      </Group>
    </>
  );
}

export interface SearchResult {
  readonly title: string;
  readonly about: string;
  readonly href: string;
  readonly icon: typeof IconServer2;
}

const pages: readonly SearchResult[] = [
  ...routes.flatMap(({ title, navigation }) => (navigation === undefined ? [] : [{ title, ...navigation }])),
  { title: 'New cluster', about: 'Plan and create a cluster', href: '/create-cluster', icon: IconPlus },
];

/**
 * Pages and clusters with the text in their name. The server looks through the clusters, of which there may be many, when
 * the text has settled; what it said of an earlier text counts as far as it fits: Enter may come faster than an answer.
 */
export function useSearchResults(text: string, settled: string): readonly SearchResult[] {
  const clusters = useApi<ClusterPage>('/clusters', { q: settled, limit: 8 }).data?.items ?? [];
  const wanted = text.toLowerCase();
  const all = [
    ...pages,
    ...clusters.map(({ name, strategy, datacenter }) => ({
      title: name,
      about: `Cluster · ${strategy} · ${datacenter}`,
      href: `/clusters/${encodeURIComponent(name)}`,
      icon: IconServer2,
    })),
  ];
  return all.filter(({ title, about }) => `${title} ${about}`.toLowerCase().includes(wanted));
}
