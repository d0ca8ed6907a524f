import { Button, Code, Stack } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { ApiError } from '../api/client.ts';
import { Notice } from './notice.tsx';

/** Why something could not be read, and what to do. */
export function ErrorNotice({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { fix, code } = error instanceof ApiError ? error : { fix: undefined, code: undefined };
  return (
    <Notice icon={IconPlugConnectedX} title={error.message} color="red">
      <Stack gap="sm" align="center">
        {fix !== undefined && <span>{fix}</span>}
        {code !== undefined && <Code>{code}</Code>}
        {onRetry !== undefined && (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Notice>
  );
}
