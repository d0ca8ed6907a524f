import { Text } from '@mantine/core';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import classes from './topology.module.css';

export type FrameNode = Node<{ readonly title: string }, 'frame'>;

/** Around what runs in one seed, or around the cards of many datacenters. */
export const Frame = memo(({ data: { title } }: NodeProps<FrameNode>) => (
  <section className={classes.frame} aria-label={title}>
    <Handle type="target" position={Position.Left} isConnectable={false} className={classes.handle} />
    <Text fz="xs" c="dimmed" fw={600}>
      {title}
    </Text>
    <Handle type="source" position={Position.Right} isConnectable={false} className={classes.handle} />
  </section>
));
