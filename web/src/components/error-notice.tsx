import { Anchor, Button, Code, Stack } from '@mantine/core';
import { IconAlertTriangle, IconMapOff, IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from 'wouter';
import { ApiError } from '../api/client.ts';
import { Notice } from './notice.tsx';
import { sentence } from './units.ts';

/** Why something could not be read, and what to do. */
export function ErrorNotice({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const known = error instanceof ApiError ? error : undefined;
  if (known?.status === 404) return <Gone error={known} />;
  if (known?.code === 'CW-API-NO-PLAN') return <NoPlan error={known} />;
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

/** The server's advice is for scripts; on the page there is a link. */
const NoPlan = ({ error }: { error: ApiError }) => (
  <Notice icon={IconAlertTriangle} title={sentence(error.message)} color="orange">
    <Anchor component={Link} href="/findings" inherit>
      The findings
    </Anchor>{' '}
    say what is wrong in them, and where. This page fills as soon as that is mended.
  </Notice>
);

const Gone = ({ error }: { error: ApiError }) => (
  <Notice icon={IconMapOff} title={sentence(error.message)}>
    It may have been deleted, or the link is mistyped.{' '}
    <Anchor component={Link} href="/clusters" inherit>
      See all clusters
    </Anchor>
    .
  </Notice>
);
