import { Button, Grid, Group, Paper, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { type Change, type Draft, sortFindings } from './draft.ts';
import { Fields } from './fields.tsx';
import { Preview } from './preview.tsx';
import type { Choices } from './use-choices.ts';
import type { DryRunState } from './use-dry-run.ts';

interface ClusterFormProps {
  readonly title: string;
  /** Of the button. */
  readonly verb: string;
  readonly draft: Draft;
  readonly choices: Choices;
  readonly dryRun: DryRunState;
  /** Beside what the platform finds. */
  readonly wrong?: ReadonlyMap<keyof Draft, string>;
  /** Of a cluster that is there. */
  readonly changes?: readonly Change[];
  readonly isReady: boolean;
  readonly isSending: boolean;
  readonly problem: ReactNode;
  readonly cancel: string;
  /** Which file will be written. */
  readonly file: string;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly onSubmit: () => void;
}

/** Fields on one side, and what they would mean on the other. */
export function ClusterForm(props: ClusterFormProps) {
  const { title, verb, draft, choices, dryRun, changes, isReady, isSending, problem, cancel, file } = props;
  const { atField, other } = sortFindings(dryRun.answer?.findings ?? [], draft.name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Paper withBorder p="lg" component="form" onSubmit={submit} aria-label={title}>
          <Stack gap="md">
            <Fields
              isFixed={changes !== undefined}
              draft={draft}
              choices={choices}
              wrong={new Map([...atField, ...(props.wrong ?? [])])}
              onChange={props.onChange}
            />
            {problem}
            <Group>
              <Button type="submit" disabled={!isReady || dryRun.answer?.allowed !== true} loading={isSending}>
                {verb}
              </Button>
              <Button component={Link} href={cancel} variant="default">
                Cancel
              </Button>
            </Group>
            <Text fz="xs" c="dimmed">
              {file}
            </Text>
          </Stack>
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Preview dryRun={dryRun} other={other} {...(changes && { changes })} />
      </Grid.Col>
    </Grid>
  );
}
