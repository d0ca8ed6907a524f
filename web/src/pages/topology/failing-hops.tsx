import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconCircleX } from '@tabler/icons-react';
import type { TopologyEdge } from '../../api/types.ts';
import { count } from '../../components/units.ts';

const shown = 4;

interface FailingHopsProps {
  readonly hops: readonly TopologyEdge[];
  readonly titleOf: (id: string) => string;
  readonly onOpen: (id: string) => void;
}

/** What fails comes first: nobody should have to look for a red line. */
export function FailingHops({ hops, titleOf, onOpen }: FailingHopsProps) {
  const failing = hops.filter(({ healthy }) => healthy === false);
  if (failing.length === 0) return null;
  return (
    <Alert color="red" icon={<IconCircleX />} p="sm" title={headline(failing)}>
      <Stack gap={2}>
        {failing.slice(0, shown).map(({ id, from, to, title, why, count: many }) => (
          <Text key={id} fz="sm" component="div">
            <Anchor
              component="button"
              type="button"
              fz="sm"
              c="inherit"
              td="underline"
              ta="left"
              onClick={() => onOpen(id)}
            >
              {many === undefined ? title : `${titleOf(from)} → ${titleOf(to)}`}
            </Anchor>
            {why !== undefined && `: ${why}`}
          </Text>
        ))}
        {failing.length > shown && <Text fz="sm">and {failing.length - shown} more, in the table</Text>}
      </Stack>
    </Alert>
  );
}

const headline = (failing: readonly TopologyEdge[]): string =>
  failing.some((hop) => hop.count !== undefined)
    ? 'Some connections fail'
    : `${count(failing.length, 'connection')} ${failing.length === 1 ? 'fails' : 'fail'}`;
