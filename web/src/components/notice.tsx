import { Center, Stack, Text, ThemeIcon } from '@mantine/core';
import type { IconServer2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface NoticeProps {
  readonly icon: typeof IconServer2;
  readonly title: string;
  readonly color?: string;
  /** What to do about it. */
  readonly children?: ReactNode;
}

/** Stands where a list or a picture would: there is nothing to show, and this is what to do. */
export const Notice = ({ icon: Icon, title, color = 'gray', children }: NoticeProps) => (
  <Center py={56} px="md">
    <Stack align="center" gap="xs" maw={520}>
      <ThemeIcon variant="light" color={color} size={48} radius="xl" aria-hidden>
        <Icon size={24} stroke={1.6} />
      </ThemeIcon>
      <Text fw={600} ta="center">
        {title}
      </Text>
      <Text c="dimmed" fz="sm" ta="center" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Stack>
  </Center>
);
