import { Group, List, Text, VisuallyHidden } from '@mantine/core';
import type { ClusterDetail } from '../../api/types.ts';
import { sentence } from '../../components/format.ts';
import { HealthIcon, type HealthState } from '../../components/health.tsx';
import { Section } from '../../components/page.tsx';

type Step = NonNullable<ClusterDetail['steps']>[number];

const looks: Readonly<Record<Step['state'], { readonly health: HealthState; readonly words: string }>> = {
  done: { health: 'good', words: 'done' },
  active: { health: 'busy', words: 'under way' },
  waiting: { health: 'idle', words: 'to come' },
  failed: { health: 'bad', words: 'does not go on' },
};

/** What a cluster goes through until it is ready, and where it is. */
export function StartSteps({ phase, steps }: { phase: ClusterDetail['phase']; steps: readonly Step[] }) {
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <Section
      title={phase === 'failing' ? 'It does not start' : 'It is starting'}
      about={`${done} of ${steps.length} steps done`}
    >
      <List
        listStyleType="none"
        spacing={6}
        fz="sm"
        aria-live="polite"
        styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}
      >
        {steps.map((step) => (
          <List.Item key={step.name}>
            <StepLine step={step} />
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

const StepLine = ({ step: { title, state, detail, seconds } }: { step: Step }) => (
  <>
    <Group gap={8} wrap="nowrap">
      <HealthIcon state={looks[state].health} size={18} />
      <Text span fz="sm" fw={state === 'active' || state === 'failed' ? 600 : 400}>
        {title}
      </Text>
      <VisuallyHidden>, {looks[state].words}</VisuallyHidden>
      {seconds !== undefined && seconds > 0 && (
        <Text span fz="xs" c="dimmed">
          {seconds} s
        </Text>
      )}
    </Group>
    {detail !== undefined && (
      <Text fz="xs" c="dimmed" pl={26} style={{ overflowWrap: 'anywhere' }}>
        {sentence(detail)}
      </Text>
    )}
  </>
);

/** How long the start took, and what of it. Steps that nobody had to wait for are left out. */
export function StartTimings({ timings }: { timings: NonNullable<ClusterDetail['timings']> }) {
  const waited = timings.filter(({ seconds }) => seconds > 0);
  if (waited.length === 0) return null;
  const total = Math.round(waited.reduce((sum, { seconds }) => sum + seconds, 0) * 10) / 10;
  const parts = waited.map(({ title, seconds }) => `${title} ${seconds} s`).join(' · ');
  return (
    <Text fz="xs" c="dimmed">
      Ready {total} s after its start: {parts}
    </Text>
  );
}
