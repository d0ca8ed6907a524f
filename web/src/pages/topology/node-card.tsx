import { Box, Text, UnstyledButton } from '@mantine/core';
import {
  IconBuildingBroadcastTower,
  IconDoorEnter,
  IconServer2,
  IconShieldLock,
  IconStack2,
  IconUsers,
} from '@tabler/icons-react';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { TopologyNode } from '../../api/types.ts';
import { HealthIcon, healthColor, healthOf } from '../../components/health.tsx';
import classes from './topology.module.css';

export type CardNode = Node<{ readonly node: TopologyNode }, 'card'>;

const icons = {
  users: IconUsers,
  seed: IconBuildingBroadcastTower,
  gateway: IconDoorEnter,
  cluster: IconServer2,
  workers: IconStack2,
  proxy: IconShieldLock,
};
const kindWords = {
  users: 'Users',
  seed: 'Seed',
  gateway: 'Gateway',
  cluster: 'Cluster',
  workers: 'Workers',
  proxy: 'Proxy',
};
const healthWords = { good: 'works', bad: 'fails', warn: 'needs attention', idle: 'health not known' };

export const NodeCard = memo(({ data: { node } }: NodeProps<CardNode>) => {
  const Icon = icons[node.kind];
  const state = healthOf(node.healthy);
  return (
    <Card node={node} label={`${kindWords[node.kind]} ${node.title}: ${healthWords[state]}`}>
      <Handle type="target" position={Position.Left} isConnectable={false} className={classes.handle} />
      <Box className={classes.kind} style={{ color: healthColor(state) }}>
        <Icon size={20} stroke={1.6} aria-hidden />
      </Box>
      <Box miw={0} flex={1}>
        <Text fz="sm" fw={600} truncate lh={1.35} title={node.title}>
          {node.title}
        </Text>
        <Text fz="xs" c="dimmed" truncate lh={1.35} title={node.subtitle}>
          {node.subtitle ?? kindWords[node.kind]}
        </Text>
      </Box>
      <HealthIcon state={state} size={18} />
      <Handle type="source" position={Position.Right} isConnectable={false} className={classes.handle} />
    </Card>
  );
});

/** A cluster opens its page, and so do its workers; what stands for many opens the list. */
function Card({ node, label, children }: { node: TopologyNode; label: string; children: ReactNode }) {
  const href = hrefOf(node);
  const look = { className: classes.card, 'data-health': healthOf(node.healthy), 'data-node': node.id };
  if (href === undefined)
    return (
      <Box {...look} role="img" aria-label={label}>
        {children}
      </Box>
    );
  return (
    <UnstyledButton component={Link} href={href} aria-label={label} {...look}>
      {children}
    </UnstyledButton>
  );
}

export function hrefOf({ cluster, count, title }: TopologyNode): string | undefined {
  if (count !== undefined) return `/clusters?q=${encodeURIComponent(title)}`;
  return cluster === undefined ? undefined : `/clusters/${encodeURIComponent(cluster)}`;
}
