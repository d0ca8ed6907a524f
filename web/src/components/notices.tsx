import { Alert, Anchor, Button, Code, EmptyState, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconMapOff, IconPlugConnectedX, type IconServer2 } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../api/client.ts';
import { sentence } from './format.ts';
import { Page } from './page.tsx';

interface NoticeProps {
  readonly icon: typeof IconServer2;
  readonly title: string;
  readonly color?: string;
  /** What to do about it. */
  readonly children?: ReactNode;
}

/** Stands where a list or a picture would: there is nothing to show, and this is what to do. */
export const Notice = ({ icon: Icon, title, color = 'gray', children }: NoticeProps) => (
  <EmptyState
    size="sm"
    variant="light"
    color={color}
    py={40}
    px="md"
    title={title}
    icon={<Icon stroke={1.6} aria-hidden />}
  >
    <EmptyState.Description component="div" maw={560} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </EmptyState.Description>
  </EmptyState>
);

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

export const NotFound = () => (
  <Page title="No such page">
    <Notice icon={IconMapOff} title="Nothing is at this address">
      The link may be old, or mistyped.{' '}
      <Anchor component={Link} href="/">
        Go to the topology
      </Anchor>
      , or search with Ctrl K.
    </Notice>
  </Page>
);

interface State {
  readonly error?: Error;
}

/** Catches what a page throws. React still wants a class for that. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = {};

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return <ErrorNotice error={this.state.error} onRetry={() => location.reload()} />;
  }
}

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
