import { Code, Group, ScrollArea, Switch, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { follow } from '../api/server-sent-events.ts';

/** The page keeps as much as one can read. */
const kept = 2_000;

interface LogsProps {
  readonly scope: string;
  readonly name: string;
  readonly file: string;
}

/** The last lines of a program, and the next ones as they are written. */
export function Logs({ scope, name, file }: LogsProps) {
  const lines = useLines(scope, name);
  const [follow, setFollow] = useState(true);
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line is the reason to go to the end
  useEffect(() => {
    if (follow) end.current?.scrollIntoView({ block: 'end' });
  }, [lines, follow]);
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <Text fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {file}
        </Text>
        <Switch
          size="xs"
          label="Follow"
          checked={follow}
          onChange={(event) => setFollow(event.currentTarget.checked)}
        />
      </Group>
      <ScrollArea
        h="calc(100dvh - 150px)"
        type="auto"
        viewportProps={{ tabIndex: 0, 'aria-label': `Log of ${name}`, role: 'log' }}
      >
        <Code block fz={12} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {lines.length === 0 ? 'Nothing was written yet.' : lines.join('\n')}
        </Code>
        <div ref={end} />
      </ScrollArea>
    </>
  );
}

function useLines(scope: string, name: string): readonly string[] {
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    const query = { scope, name, lines: 500, follow: true };
    return follow('/components/logs', query, {
      // After a break the stream begins with the last lines again.
      onOpen: () => setLines([]),
      onEvent: ({ data }) => setLines((before) => [...before, data].slice(-kept)),
    });
  }, [scope, name]);
  return lines;
}
