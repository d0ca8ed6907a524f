import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  /** One line under the title: what one sees here. */
  readonly about?: ReactNode;
  /** Beside the title: health, kind. */
  readonly mark?: ReactNode;
  /** Buttons at the right. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: title, what it is about, what one can do, and then the thing itself. */
export function Page({ title, about, mark, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Causeway`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box miw={0} flex="1 1 260px">
          <Group gap="sm">
            <Title order={1} fz={24} lh={1.3} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {mark}
          </Group>
          {about !== undefined && (
            <Text c="dimmed" fz="sm" component="div">
              {about}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

interface SectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page, in a frame of its own. */
export const Section = ({ title, about, children }: SectionProps) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Title order={2} fz="md">
          {title}
        </Title>
        {about !== undefined && (
          <Text fz="sm" c="dimmed" component="div">
            {about}
          </Text>
        )}
      </Group>
      {children}
    </Stack>
  </Paper>
);
