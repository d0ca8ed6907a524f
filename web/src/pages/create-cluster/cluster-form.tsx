import { Button, Grid, Group, Paper, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { useHasRole, useWhoAmI } from '../../api/queries.ts';
import { sentence } from '../../components/format.ts';
import { Loaded, Notice } from '../../components/notices.tsx';
import { disabledReason, isTaken } from './disabled-reason.ts';
import { type Change, type Draft, sortFindings } from './draft.ts';
import { Fields } from './fields.tsx';
import { Preview } from './preview.tsx';
import type { Choices, DryRunState } from './queries.ts';

interface ClusterFormProps {
  readonly title: string;
  /** Of the button. */
  readonly verb: string;
  readonly draft: Draft;
  readonly choices: Choices;
  readonly dryRun: DryRunState;
  /** Of a cluster that is there. */
  readonly changes?: readonly Change[];
  readonly isSending: boolean;
  readonly problem: ReactNode;
  readonly cancel: string;
  /** Which file will be written. */
  readonly file: string;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly onSubmit: () => void;
}

const nothing = { findings: [], errors: [] };

/** Fields on one side, and what they would mean on the other. */
export function ClusterForm(props: ClusterFormProps) {
  const { title, verb, draft, choices, dryRun, changes, isSending, problem, cancel, file } = props;
  const { wrong, advice, other } = sortFindings(dryRun.answer ?? nothing, draft.name);
  const reason = disabledReason({ draft, dryRun, isChanged: changes === undefined || changes.length > 0 });
  const reasonId = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason === undefined) props.onSubmit();
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
              wrong={isTaken(dryRun.error) ? new Map([...wrong, ['name', sentence(dryRun.error.message)]]) : wrong}
              advice={advice}
              onChange={props.onChange}
            />
            {problem}
            <Group>
              <Button type="submit" disabled={reason !== undefined} aria-describedby={reasonId} loading={isSending}>
                {verb}
              </Button>
              <Button component={Link} href={cancel} variant="default">
                Cancel
              </Button>
            </Group>
            <Text id={reasonId} fz="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
              {reason}
            </Text>
            <Text fz="xs" c="dimmed">
              {file}
            </Text>
          </Stack>
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Preview name={draft.name} dryRun={dryRun} other={other} {...(changes && { changes })} />
      </Grid.Col>
    </Grid>
  );
}

/** Who may only look is told so before anything is typed. */
export function ForOperators({ children }: { children: ReactNode }) {
  const may = useHasRole('operator');
  return <Loaded query={useWhoAmI()}>{() => (may ? children : <NotAllowed />)}</Loaded>;
}

const NotAllowed = () => (
  <Notice icon={IconLock} title="Your role may look, not change">
    Creating or changing a cluster needs the role operator or admin.
  </Notice>
);
