import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { ErrorNotice } from './error-notice.tsx';

interface LoadedProps<Body> {
  readonly query: UseQueryResult<Body>;
  readonly children: (body: Body) => ReactNode;
  /** Lines of the grey shape that stands there meanwhile. */
  readonly lines?: number;
}

/** What was there a moment ago and is not any more must not be shown as if it were. */
const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

/** Shows what was read; until then a shape of it, or why it cannot be had. What was read once stays while it is read anew. */
export function Loaded<Body>({ query, children, lines = 6 }: LoadedProps<Body>) {
  if (query.data !== undefined && !isGone(query.error)) return children(query.data);
  if (query.error !== null) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Stack gap="sm" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => `line-${line}`).map((key) => (
        <Skeleton key={key} height={28} radius="sm" />
      ))}
    </Stack>
  );
}
