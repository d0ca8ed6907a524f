import { Box, Text } from '@mantine/core';
import { useSummary } from '../api/use-api.ts';
import { Health } from '../components/health.tsx';

/** Which platform this is: whoever has several of them open must not mix them up. */
export function PlatformCard() {
  const summary = useSummary().data;
  if (summary === undefined) return null;
  const { name, domain, directory, clusters } = summary;
  return (
    <Box p="xs" style={{ borderTop: '1px solid var(--cw-line)' }}>
      <Text fz="sm" fw={600} truncate title={directory}>
        {name ?? directory.split('/').at(-1)}
      </Text>
      <Text fz="xs" c="dimmed" truncate title={domain}>
        {domain}
      </Text>
      <Readiness {...clusters} />
    </Box>
  );
}

function Readiness({ ready, starting, total }: { ready: number; starting: number; total: number }) {
  if (total === 0) return <Health state="idle" text="no cluster yet" size={14} />;
  const text = `${ready.toLocaleString('en')} of ${total.toLocaleString('en')} ready`;
  const state = ready === total ? 'good' : ready + starting === total ? 'busy' : 'warn';
  return <Health state={state} text={text} size={14} />;
}
