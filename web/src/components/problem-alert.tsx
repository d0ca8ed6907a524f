import { Alert, Text } from '@mantine/core';
import { IconCircleX } from '@tabler/icons-react';
import { ApiError } from '../api/client.ts';
import { sentence } from './units.ts';

/** Why what one asked for was not done, at the place where one asked. */
export const ProblemAlert = ({ error }: { error: Error }) => (
  <Alert color="red" p="sm" icon={<IconCircleX />} title={sentence(error.message)} role="alert">
    {error instanceof ApiError && sentence(error.fix)}
    {error instanceof ApiError &&
      error.findings.map(({ code, message, fix }) => (
        <Text key={`${code} ${message}`} fz="sm">
          {sentence(message)} {sentence(fix)}
        </Text>
      ))}
  </Alert>
);
