import { UnstyledButton } from '@mantine/core';
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import { HealthIcon, type HealthState, healthColor } from '../../components/health.tsx';
import type { Point } from './layout.ts';
import classes from './topology.module.css';

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
