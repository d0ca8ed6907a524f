import { Alert, Button, Stack } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { ApiError, get, send } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import type { ResourceBody, ResourceItem } from '../../api/types.ts';
import { Loaded, ProblemAlert } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';
import { ClusterForm, ForOperators } from './cluster-form.tsx';
import { changesOf, type Draft, draftOf, isComplete, resourceOf } from './draft.ts';
import { useChoices, useDryRun } from './queries.ts';

const addressOf = (name: string): string => `/clusters/${encodeURIComponent(name)}`;
const resourceAt = (name: string): string => `/resources/Cluster/${encodeURIComponent(name)}`;

export function EditClusterPage() {
  const { name = '' } = useParams<{ name: string }>();
  // Read once: it must not change under somebody's hands. Who was faster is told when it is saved.
  const found = useQuery({
    queryKey: ['edit', name],
    queryFn: () => get<ResourceItem>(resourceAt(name)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Page title={`Edit ${name}`} about="You see what it changes before anything is written">
      <ForOperators>
        <Loaded query={found}>{(item) => <Form item={item} onReload={() => void found.refetch()} />}</Loaded>
      </ForOperators>
    </Page>
  );
}

function Form({ item, onReload }: { item: ResourceItem; onReload: () => void }) {
  const { resource, file } = item;
  const before = draftOf(resource);
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const draft = { ...before, ...typed };
  const changes = changesOf(before, draft);
  const wanted = resourceOf(draft, resource);
  const save = useSave(item);
  return (
    <ClusterForm
      title={`Edit ${draft.name}`}
      verb="Save"
      draft={draft}
      choices={useChoices()}
      dryRun={useDryRun(isComplete(draft) ? wanted : undefined)}
      changes={changes}
      isSending={save.isPending}
      problem={save.error !== null && <Refused error={save.error} onReload={onReload} onDone={save.reset} />}
      cancel={addressOf(draft.name)}
      file={`It is written into ${file}; comments, order and what is not in this form stay`}
      onChange={(change) => setTyped((known) => ({ ...known, ...change }))}
      onSubmit={() => save.mutate(wanted)}
    />
  );
}

interface RefusedProps {
  readonly error: Error;
  readonly onReload: () => void;
  readonly onDone: () => void;
}

const changedMeanwhile = 412;

/** What was typed stays; it is laid over what somebody else has written meanwhile. */
function Refused({ error, onReload, onDone }: RefusedProps) {
  if (!(error instanceof ApiError && error.status === changedMeanwhile)) return <ProblemAlert error={error} />;
  const reload = (): void => {
    onReload();
    onDone();
  };
  return (
    <Alert color="orange" p="sm" icon={<IconGitMerge />} title="Somebody has changed it meanwhile" role="alert">
      <Stack gap="xs" align="flex-start">
        Nothing was written. Read it again: what you typed stays, and you see what it changes now.
        <Button size="xs" variant="default" onClick={reload}>
          Read it again
        </Button>
      </Stack>
    </Alert>
  );
}

function useSave({ etag, resource: { metadata } }: ResourceItem) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ResourceBody) => send('PUT', resourceAt(metadata.name), { body, ifMatch: etag }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.view });
      navigate(addressOf(metadata.name));
      window.scrollTo({ top: 0 });
    },
  });
}
