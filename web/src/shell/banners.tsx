// What everybody must know, whatever page they are on.

import { Alert, Anchor, Stack } from '@mantine/core';
import { IconAlertTriangle, IconDownload, IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useConnection } from '../api/live.tsx';
import { useSummary } from '../api/queries.ts';
import type { ProgramProgress } from '../api/types.ts';
import { asTyped, span } from '../components/format.ts';

export function Banners() {
  const lost = useConnection() === 'lost';
  const summary = useSummary().data;
  const programs = summary?.programs ?? [];
  if (!lost && summary?.broken !== true && programs.length === 0) return null;
  return (
    <Stack gap="xs" mb="md" maw={1440} mx="auto">
      {lost && <ConnectionLost />}
      {summary?.broken === true && <BrokenManifests runs={summary.name !== undefined} />}
      {programs.length > 0 && <GettingPrograms programs={programs} />}
    </Stack>
  );
}

const ConnectionLost = () => (
  <Alert color="red" icon={<IconPlugConnectedX />} title="The platform does not answer" role="alert">
    What you see is as it was. The page goes on by itself as soon as <code>{asTyped('causeway up')}</code> runs again.
  </Alert>
);

const BrokenManifests = ({ runs }: { runs: boolean }) => (
  <Alert color="orange" icon={<IconAlertTriangle />} title="The manifests cannot be applied as they are" role="alert">
    {runs ? 'Nothing was changed: what runs is the state before the last edit.' : 'Nothing runs until they can.'}{' '}
    <Anchor component={Link} href="/findings" inherit>
      See what is wrong and where
    </Anchor>
    .
  </Alert>
);

const GettingPrograms = ({ programs }: { programs: readonly ProgramProgress[] }) => (
  <Alert color="blue" icon={<IconDownload />} title="Kubernetes programs are being fetched, once for this machine">
    {programs.map(({ name, doing, seconds }) => (
      <div key={name}>
        {name}: {doing} ({span(seconds * 1000)})
      </div>
    ))}
  </Alert>
);
