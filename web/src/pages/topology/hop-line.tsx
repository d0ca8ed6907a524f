import { UnstyledButton } from '@mantine/core';
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import { memo } from 'react';
import { HealthIcon, type HealthState, healthColor } from '../../components/health.tsx';
import classes from './topology.module.css';

export type HopLine = Edge<
  {
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
export const HopLineView = memo((props: EdgeProps<HopLine>) => {
  const [path, x, y] = getBezierPath(props);
  if (props.data === undefined) return null;
  const { label, words, state, flowing, onOpen } = props.data;
  return (
    <>
      <BaseEdge
        path={path}
        interactionWidth={18}
        style={{
          stroke: healthColor(state),
          strokeWidth: state === 'bad' ? 2.2 : 1.6,
          opacity: state === 'bad' ? 1 : 0.75,
        }}
        className={state === 'bad' ? classes.broken : flowing ? classes.flowing : undefined}
      />
      <EdgeLabelRenderer>
        <UnstyledButton
          className={classes.label}
          data-health={state}
          data-edge={props.id}
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
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
