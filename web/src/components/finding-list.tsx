import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import type { ApiFinding } from '../api/types.ts';

/** What is wrong, where, and what would be right. */
export const FindingList = ({ findings }: { findings: readonly ApiFinding[] }) =>
  findings.length === 0 ? null : (
    <Stack gap="xs">
      {findings.map((finding) => (
        <OneFinding key={`${finding.code} ${finding.resource} ${finding.field}`} finding={finding} />
      ))}
    </Stack>
  );

function OneFinding({ finding: { severity, message, fix, code, position, field } }: { finding: ApiFinding }) {
  const isError = severity === 'error';
  const where = position === undefined ? field : `${position.file}:${position.line}`;
  return (
    <Alert
      color={isError ? 'red' : 'yellow'}
      icon={isError ? <IconCircleX /> : <IconAlertTriangle />}
      p="sm"
      title={message}
    >
      {fix}
      <Text fz="xs" c="dimmed" mt={4}>
        {[code, where].filter(Boolean).join(' · ')}
      </Text>
    </Alert>
  );
}
