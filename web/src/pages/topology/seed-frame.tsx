import { Text } from '@mantine/core';
import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import classes from './topology.module.css';

export type FrameNode = Node<{ readonly title: string }, 'frame'>;

/** What runs in one seed. */
export const SeedFrame = memo(({ data: { title } }: NodeProps<FrameNode>) => (
  <section className={classes.frame} aria-label={`Seed ${title}`}>
    <Text fz="xs" c="dimmed" fw={600}>
      Seed {title}
    </Text>
  </section>
));
