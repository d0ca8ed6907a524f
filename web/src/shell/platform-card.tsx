import { Box, Text } from '@mantine/core';
import { useSummary } from '../api/use-api.ts';
import { Health } from '../components/health.tsx';

/** Which platform this is: whoever has several of them open must not mix them up. */
export function PlatformCard() {
  const summary = useSummary().data;
  if (summary === undefined) return null;
  const { name, domain, directory, clusters } = summary;
  const isReady = clusters.ready === clusters.total;
  return (
    <Box p="xs" style={{ borderTop: '1px solid var(--cw-line)' }}>
      <Text fz="sm" fw={600} truncate title={directory}>
        {name ?? directory}
      </Text>
      <Text fz="xs" c="dimmed" truncate title={domain}>
        {domain}
      </Text>
      <Health
        state={isReady ? 'good' : 'warn'}
        text={`${clusters.ready.toLocaleString('en')} of ${clusters.total.toLocaleString('en')} ready`}
        size={14}
      />
    </Box>
  );
}
