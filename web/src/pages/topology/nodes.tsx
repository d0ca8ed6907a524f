import { Box, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconDoorEnter, IconServer2, IconShieldLock, IconStack2, IconUsers } from '@tabler/icons-react';
import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  Handle,
  type Node,
  type NodeProps,
  Position,
} from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { TopologyNode } from '../../api/types.ts';
import { HealthIcon, type HealthState, healthColor, healthOf } from '../../components/health.tsx';
import { healthWords } from '../../components/health-words.ts';
import type { Point } from './graph.ts';
import classes from './topology.module.css';

export type CardNode = Node<{ readonly node: TopologyNode }, 'card'>;

const kinds = {
  users: { icon: IconUsers, word: 'Users', about: 'kubectl and other clients' },
  seed: { icon: IconServer2, word: 'Seed', about: '' },
  gateway: { icon: IconDoorEnter, word: 'Gateway', about: '' },
  cluster: { icon: IconServer2, word: 'Cluster', about: '' },
  workers: { icon: IconStack2, word: 'Workers', about: '' },
  proxy: { icon: IconShieldLock, word: 'Proxy', about: '' },
};

export const NodeCard = memo(({ data: { node } }: NodeProps<CardNode>) => {
  const { icon: Icon, word, about } = kinds[node.kind];
  const state = healthOf(node);
  return (
    <Card node={node}>
      <Handle type="target" position={Position.Left} isConnectable={false} className={classes.handle} />
      <Box className={classes.kind}>
        <Icon size={20} stroke={1.6} aria-hidden />
        {node.kind !== 'users' && (
          <span className={classes.health}>
            <HealthIcon state={state} size={16} />
          </span>
        )}
      </Box>
      <Box miw={0} flex={1}>
        <Text fz={13.5} fw={600} lineClamp={2} lh={1.25} title={node.title}>
          {node.title}
        </Text>
        <Text fz="xs" c="dimmed" lineClamp={2} lh={1.25} title={node.subtitle}>
          {node.subtitle ?? about}
        </Text>
        <VisuallyHidden>
          {word}: {healthWords[state]}
        </VisuallyHidden>
      </Box>
      <Handle type="source" position={Position.Right} isConnectable={false} className={classes.handle} />
    </Card>
  );
});

/** A cluster opens its page, and so do its workers; what stands for many opens the list. */
function Card({ node, children }: { node: TopologyNode; children: ReactNode }) {
  const href = hrefOf(node);
  const look = { className: classes.card, 'data-health': healthOf(node), 'data-node': node.id };
  if (href === undefined) return <Box {...look}>{children}</Box>;
  return (
    <UnstyledButton component={Link} href={href} {...look}>
      {children}
    </UnstyledButton>
  );
}

function hrefOf({ cluster, count, datacenter, healthy }: TopologyNode): string | undefined {
  const words = [datacenter, ...(healthy === false ? ['not ready'] : [])].join(' ');
  if (count !== undefined) return `/clusters?q=${encodeURIComponent(words)}`;
  return cluster === undefined ? undefined : `/clusters/${encodeURIComponent(cluster)}`;
}

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

export type HopLine = Edge<
  {
    readonly path: string;
    readonly at: Point;
    readonly label: string;
    /** For those who do not see it. */
    readonly words: string;
    readonly state: HealthState;
    readonly flowing: boolean;
    readonly onOpen: () => void;
  },
  'hops'
>;

/** A line with its port, its traffic and its health; both the line and the label open what is behind it. */
export const HopLineView = memo(({ id, data }: EdgeProps<HopLine>) => {
  if (data === undefined) return null;
  const { path, at, label, words, state, flowing, onOpen } = data;
  const isBad = state === 'bad';
  return (
    <>
      <BaseEdge
        path={path}
        interactionWidth={18}
        style={{ stroke: healthColor(state), strokeWidth: isBad ? 2.2 : 1.6, opacity: isBad ? 1 : 0.75 }}
        className={isBad ? classes.broken : flowing ? classes.flowing : undefined}
      />
      <EdgeLabelRenderer>
        <UnstyledButton
          className={classes.label}
          data-health={state}
          data-edge={id}
          style={{ transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)` }}
          aria-label={words}
          onClick={onOpen}
        >
          <HealthIcon state={state} size={13} />
          <span className="figures">{label}</span>
        </UnstyledButton>
      </EdgeLabelRenderer>
    </>
  );
});
