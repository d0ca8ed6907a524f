import { Button, Grid, Group, Paper, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { send } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useMay, useWhoAmI } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { type Draft, emptyDraft, resourceOf, sortFindings } from './draft.ts';
import { Fields } from './fields.tsx';
import { Preview } from './preview.tsx';
import { useChoices, useIsTaken } from './use-choices.ts';
import { useDryRun } from './use-dry-run.ts';

export function CreateClusterPage() {
  const may = useMay('operator');
  return (
    <Page title="New cluster" about="You see what it will need before anything is written">
      <Loaded query={useWhoAmI()}>{() => (may ? <Form /> : <NotAllowed />)}</Loaded>
    </Page>
  );
}

const NotAllowed = () => (
  <Notice icon={IconLock} title="Your role may look, not change">
    Creating a cluster needs the role operator or admin.
  </Notice>
);

function Form() {
  const choices = useChoices();
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const draft = { ...emptyDraft, ...choices.usual, ...typed };
  const dryRun = useDryRun(draft);
  const create = useCreate();
  const isTaken = useIsTaken(draft.name);
  const { atField, other } = sortFindings(dryRun.answer?.findings ?? [], draft.name);
  const wrong = isTaken ? new Map(atField).set('name', 'There is a cluster of this name already.') : atField;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(draft);
  };
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Paper withBorder p="lg" component="form" onSubmit={submit} aria-label="New cluster">
          <Stack gap="md">
            <Fields
              draft={draft}
              choices={choices}
              wrong={wrong}
              onChange={(change) => setTyped((before) => ({ ...before, ...change }))}
            />
            {create.error !== null && <ProblemAlert error={create.error} />}
            <Group>
              <Button type="submit" disabled={isTaken || dryRun.answer?.allowed !== true} loading={create.isPending}>
                Create
              </Button>
              <Button component={Link} href="/clusters" variant="default">
                Cancel
              </Button>
            </Group>
            <Text fz="xs" c="dimmed">
              It becomes a manifest in the directory: clusters/{draft.name || 'NAME'}.yaml
            </Text>
          </Stack>
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Preview dryRun={dryRun} other={other} />
      </Grid.Col>
    </Grid>
  );
}

function useCreate() {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (draft: Draft) => send('PUT', `/resources/Cluster/${draft.name}`, { body: resourceOf(draft) }),
    onSuccess: async (_, { name }) => {
      await client.invalidateQueries({ queryKey: keys.view });
      navigate(`/clusters/${name}`);
    },
  });
}
