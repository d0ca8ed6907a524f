// What a finding or a requirement means, beside the page that names it. The address holds which one is open.

import { Anchor, Code, Drawer, getDefaultZIndex, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useUrlState } from '../../../components/data-table/url-state.ts';
import { asTyped } from '../../../components/format.ts';
import { Loaded } from '../../../components/notices.tsx';
import { type Piece, sectionOf } from './section.ts';

// The bundler takes both files along; the browser fetches one when somebody asks.
const findings = new URL('../../../../../docs/reference/findings.md', import.meta.url);
const requirements = new URL('../../../../../docs/reference/requirements.md', import.meta.url);

const fileOf = (name: string): URL => (name.startsWith('CW-') ? findings : requirements);

/** A code or a row of the catalogue; a click explains it. */
export function ReferenceLink({ name }: { name: string }) {
  const url = useUrlState();
  return (
    <Anchor component="button" type="button" fz="inherit" ff="monospace" onClick={() => url.set({ explain: name })}>
      {name}
    </Anchor>
  );
}

/** Once, for the links on all pages. Above other drawers: they name codes and rows too. */
export function Reference() {
  const url = useUrlState();
  const name = url.get('explain');
  return (
    <Drawer
      opened={name !== ''}
      zIndex={getDefaultZIndex('popover')}
      onClose={() => url.set({ explain: undefined })}
      position="right"
      size="md"
      title={
        <Text ff="monospace" fw={600}>
          {name}
        </Text>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {name !== '' && <Explanation name={name} />}
    </Drawer>
  );
}

function Explanation({ name }: { name: string }) {
  const file = fileOf(name);
  const query = useQuery({
    queryKey: ['reference', file.pathname],
    queryFn: async () => (await fetch(file)).text(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={query} lines={4}>
      {(text) => (
        <Stack gap="sm">
          {(sectionOf(text, name)?.paragraphs ?? []).map((pieces) => (
            <Text key={pieces.map((piece) => piece.text).join('')} fz="sm" component="div">
              {pieces.map((piece) => (
                <Shown key={`${piece.kind} ${piece.text}`} piece={piece} />
              ))}
            </Text>
          ))}
          <Text fz="sm" c="dimmed">
            On the command line: <Code>{asTyped(`causeway explain ${name}`)}</Code>
          </Text>
        </Stack>
      )}
    </Loaded>
  );
}

function Shown({ piece }: { piece: Piece }) {
  if (piece.kind === 'strong') return <strong>{piece.text}</strong>;
  if (piece.kind === 'code') return <Code>{piece.text}</Code>;
  if (piece.kind === 'link')
    return isExplained(piece.to) ? <ReferenceLink name={piece.text} /> : <Code>{piece.text}</Code>;
  return piece.text;
}

const isExplained = (to: string): boolean => /(?:requirements|findings)\.md#/.test(to);
