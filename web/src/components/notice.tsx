import { EmptyState } from '@mantine/core';
import type { IconServer2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface NoticeProps {
  readonly icon: typeof IconServer2;
  readonly title: string;
  readonly color?: string;
  /** What to do about it. */
  readonly children?: ReactNode;
}

/** Stands where a list or a picture would: there is nothing to show, and this is what to do. */
export const Notice = ({ icon: Icon, title, color = 'gray', children }: NoticeProps) => (
  <EmptyState
    size="sm"
    variant="light"
    color={color}
    py={40}
    px="md"
    title={title}
    icon={<Icon stroke={1.6} aria-hidden />}
  >
    <EmptyState.Description component="div" maw={560} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </EmptyState.Description>
  </EmptyState>
);
