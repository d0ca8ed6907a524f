import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

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
