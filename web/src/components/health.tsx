// Health is said three times: by colour, by the shape of an icon, and in words.
import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react';

export type HealthState = 'good' | 'bad' | 'warn' | 'idle';

export const healthOf = (healthy: boolean | undefined): HealthState =>
  healthy === undefined ? 'idle' : healthy ? 'good' : 'bad';

export const healthColor = (state: HealthState): string => `var(--cw-${state})`;

const icons = { good: IconCircleCheck, bad: IconCircleX, warn: IconAlertTriangle, idle: IconCircleDashed };
const words = { good: 'Works', bad: 'Fails', warn: 'Attention', idle: 'Not known' };

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
