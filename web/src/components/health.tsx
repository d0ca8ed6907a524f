// Health is said three times: by colour, by the shape of an icon, and in words.
import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, IconProgress } from '@tabler/icons-react';
import type { HealthState } from './health-words.ts';

export type { HealthState };

interface Seen {
  readonly healthy?: boolean | undefined;
  readonly starting?: true | undefined;
}

export function healthOf({ healthy, starting }: Seen): HealthState {
  if (starting) return 'busy';
  if (healthy === undefined) return 'idle';
  return healthy ? 'good' : 'bad';
}

interface Phased {
  readonly phase: 'starting' | 'ready' | 'failing';
  readonly managed: boolean;
}

/** Of a cluster; about one that something else runs, and that does not answer, nothing more is known. */
export function healthOfCluster({ phase, managed }: Phased): HealthState {
  if (phase === 'ready') return 'good';
  if (!managed) return 'idle';
  return phase === 'starting' ? 'busy' : 'bad';
}

export const healthColor = (state: HealthState): string => `var(--cw-${state})`;

const icons = {
  good: IconCircleCheck,
  bad: IconCircleX,
  warn: IconAlertTriangle,
  busy: IconProgress,
  idle: IconCircleDashed,
};
const words = { good: 'Works', bad: 'Fails', warn: 'Attention', busy: 'Starting', idle: 'Not known' };

interface HealthProps {
  readonly state: HealthState;
  /** In place of the usual word. */
  readonly text?: string;
  readonly size?: number;
}

export function Health({ state, text = words[state], size = 16 }: HealthProps) {
  return (
    <Group gap={6} wrap="nowrap" c={healthColor(state)} display="inline-flex">
      <HealthIcon state={state} size={size} />
      <Text span fz="sm" fw={500} inherit={false} c="inherit">
        {text}
      </Text>
    </Group>
  );
}

export function HealthIcon({ state, size = 16 }: { state: HealthState; size?: number }) {
  const Icon = icons[state];
  return <Icon size={size} stroke={2} color={healthColor(state)} aria-hidden style={{ flexShrink: 0 }} />;
}
