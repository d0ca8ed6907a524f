import { Anchor, Badge, Box, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { ApiFinding } from '../../api/types.ts';
import { Copyable } from '../../components/copyable.tsx';
import { sentence } from '../../components/format.ts';
import { HealthIcon, healthColor } from '../../components/health.tsx';
import { ReferenceLink } from './reference/reference.tsx';

export const keyOf = ({ code, resource, field, position, message }: ApiFinding): string =>
  [code, resource, field, position?.file, position?.line, message].join(' ');

export function FindingCard({ finding }: { finding: ApiFinding }) {
  const state = finding.severity === 'error' ? 'bad' : 'warn';
  return (
    <Paper
      withBorder
      p="md"
      component="article"
      aria-label={finding.message}
      style={{ borderLeft: `4px solid ${healthColor(state)}` }}
    >
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Box mt={2}>
          <HealthIcon state={state} size={18} />
        </Box>
        <Stack gap={6} miw={0} flex={1}>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {sentence(finding.message)}
          </Text>
          <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
            <Text span inherit c="dimmed">
              Fix:{' '}
            </Text>
            {sentence(finding.fix)}
          </Text>
          <Group gap="4px 14px" fz="sm">
            <Text span fz="sm" fw={500} c={healthColor(state)}>
              {finding.severity === 'error' ? 'Error' : 'Warning'}
            </Text>
            <ReferenceLink name={finding.code} />
            <Subject finding={finding} />
            {finding.position !== undefined && <Place position={finding.position} />}
          </Group>
          {finding.waived !== undefined && <Waived {...finding.waived} />}
        </Stack>
      </Group>
    </Paper>
  );
}

/** The document, with a way to its page where it has one, and the field in it. */
function Subject({ finding: { resource, field, related } }: { finding: ApiFinding }) {
  if (resource === undefined) return null;
  const cluster = /^Cluster\/(.+)$/.exec(resource)?.[1];
  return (
    <Text span fz="sm" style={{ overflowWrap: 'anywhere' }}>
      {cluster === undefined ? (
        resource
      ) : (
        <Anchor component={Link} href={`/clusters/${encodeURIComponent(cluster)}`} inherit>
          {resource}
        </Anchor>
      )}
      {field !== undefined && field !== '' && <Code ml={6}>{field}</Code>}
      {related !== undefined && ` with ${related}`}
    </Text>
  );
}

/** In the form that editors open. */
function Place({ position: { file, line, column } }: { position: NonNullable<ApiFinding['position']> }) {
  const place = `${file}:${line}:${column}`;
  return <Copyable text={place} what={place} />;
}

const Waived = ({ owner, reason, expires }: NonNullable<ApiFinding['waived']>) => (
  <Group gap="xs">
    <Badge variant="default" size="sm" tt="none">
      accepted
    </Badge>
    <Text fz="sm" c="dimmed">
      by {owner} until {expires}: {reason}
    </Text>
  </Group>
);

/** What is wrong, where, and what would be right; nothing where all is fine. */
export const FindingList = ({ findings }: { findings: readonly ApiFinding[] }) =>
  findings.length === 0 ? null : (
    <Stack gap="xs">
      {findings.map((finding) => (
        <FindingCard key={keyOf(finding)} finding={finding} />
      ))}
    </Stack>
  );
