import { Anchor, Button, Code, Stack } from '@mantine/core';
import { IconMapOff, IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from 'wouter';
import { ApiError } from '../api/client.ts';
import { Notice } from './notice.tsx';
import { sentence } from './units.ts';

/** Why something could not be read, and what to do. */
export function ErrorNotice({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const known = error instanceof ApiError ? error : undefined;
  if (known?.status === 404) return <Gone error={known} />;
  return (
    <Notice icon={IconPlugConnectedX} title={sentence(error.message)} color="red">
      <Stack gap="sm" align="center">
        {known && <span>{sentence(known.fix)}</span>}
        {known && <Code>{known.code}</Code>}
        {onRetry !== undefined && (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Notice>
  );
}

const Gone = ({ error }: { error: ApiError }) => (
  <Notice icon={IconMapOff} title={sentence(error.message)}>
    It may have been deleted, or the link is mistyped.{' '}
    <Anchor component={Link} href="/clusters" inherit>
      See all clusters
    </Anchor>
    .
  </Notice>
);
