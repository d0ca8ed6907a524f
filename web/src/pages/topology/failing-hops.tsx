import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconCircleX } from '@tabler/icons-react';
import type { TopologyEdge } from '../../api/types.ts';
import { count } from '../../components/units.ts';

const shown = 4;

/** What fails comes first: nobody should have to look for a red line. */
export function FailingHops({ hops, onOpen }: { hops: readonly TopologyEdge[]; onOpen: (id: string) => void }) {
  const failing = hops.filter(({ healthy }) => healthy === false);
  if (failing.length === 0) return null;
  return (
    <Alert
      color="red"
      icon={<IconCircleX />}
      p="sm"
      title={`${count(failing.length, 'connection')} ${failing.length === 1 ? 'fails' : 'fail'}`}
    >
      <Stack gap={2}>
        {failing.slice(0, shown).map(({ id, title, why }) => (
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
              {title}
            </Anchor>
            {why !== undefined && `: ${why}`}
          </Text>
        ))}
        {failing.length > shown && <Text fz="sm">and {failing.length - shown} more, in the table</Text>}
      </Stack>
    </Alert>
  );
}
