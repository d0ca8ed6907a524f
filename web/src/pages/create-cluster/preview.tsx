import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconChecklist, IconForms, IconServer2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { ApiFinding, DryRun } from '../../api/types.ts';
import { Copyable } from '../../components/copyable.tsx';
import { Needs } from '../../components/needs.tsx';
import { Notice, ProblemAlert } from '../../components/notices.tsx';
import { Section } from '../../components/page.tsx';
import { FindingList } from '../findings/finding-card.tsx';
import { isTaken } from './disabled-reason.ts';
import { type Change, fieldWords } from './draft.ts';
import type { DryRunState } from './queries.ts';

/** What the cluster would need, as the plan says: the same plan that is carried out afterwards. */
export function Preview({
  name,
  dryRun: { answer, error, isOld },
  other,
  changes,
}: {
  name: string;
  dryRun: DryRunState;
  other: readonly ApiFinding[];
  /** Of a cluster that is there; absent: it is new. */
  changes?: readonly Change[];
}) {
  if (isTaken(error)) return <Taken name={name} />;
  if (error !== null) return <ProblemAlert error={error} />;
  if (answer === undefined)
    return (
      <Notice icon={IconForms} title="Type a name">
        Then you see here which connections, names, addresses and certificates the cluster will need, and from whom.
      </Notice>
    );
  return (
    <Stack gap="md" opacity={isOld ? 0.6 : 1} aria-live="polite" aria-busy={isOld}>
      <FindingList findings={other} />
      {changes !== undefined && <Changes changes={changes} />}
      <ToAskFor diff={answer.diff} />
      <ToClose diff={answer.diff} />
      <ReachedAt endpoint={answer.endpoint} />
      <Needs needs={answer.needs} />
    </Stack>
  );
}

const Taken = ({ name }: { name: string }) => (
  <Notice icon={IconServer2} title={`There is a cluster ${name} already`} color="orange">
    <Anchor component={Link} href={`/clusters/${encodeURIComponent(name)}`} inherit>
      Look at it
    </Anchor>
    ,{' '}
    <Anchor component={Link} href={`/edit-cluster/${encodeURIComponent(name)}`} inherit>
      change it
    </Anchor>
    , or choose another name.
  </Notice>
);

const teamWords: Record<DryRun['diff'][number]['team'], string> = {
  firewall: 'Firewall',
  dns: 'DNS',
  certificates: 'Certificates',
  'allow-list': 'Allow-list',
  addresses: 'Addresses',
};

/** Of each team; the rest is in the lists below. */
const shown = 4;

function ToAskFor({ diff }: Pick<DryRun, 'diff'>) {
  const asked = diff.filter(({ ask }) => ask.length > 0);
  if (asked.length === 0)
    return (
      <Alert color="gray" p="sm" icon={<IconChecklist />} title="Nothing new to ask for">
        The plan asks for all that it needs already. Whether others have opened, named and issued it is not checked.
      </Alert>
    );
  return (
    <Alert color="blue" p="sm" icon={<IconChecklist />} title="New, to be asked for">
      {asked.map(({ team, ask }) => (
        <Requests key={team} team={team} requests={ask} />
      ))}
    </Alert>
  );
}

function ToClose({ diff }: Pick<DryRun, 'diff'>) {
  const closed = diff.filter(({ close }) => close.length > 0);
  if (closed.length === 0) return null;
  return (
    <Alert color="gray" p="sm" icon={<IconChecklist />} title="Not needed any more, may be closed">
      {closed.map(({ team, close }) => (
        <Requests key={team} team={team} requests={close} />
      ))}
    </Alert>
  );
}

type Team = DryRun['diff'][number];

const Requests = ({ team, requests }: { team: Team['team']; requests: Team['ask'] }) => (
  <div>
    {teamWords[team]}:{' '}
    {requests
      .slice(0, shown)
      .map(({ text }) => text)
      .join('; ')}
    {requests.length > shown && `; and ${requests.length - shown} more`}
  </div>
);

/** Field by field; an empty one is inherited. */
const Changes = ({ changes }: { changes: readonly Change[] }) => (
  <Section title="What you change">
    {changes.length === 0 && <Text fz="sm">Nothing yet.</Text>}
    {changes.map(({ field, from, to }) => (
      <Text key={field} fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {fieldWords[field]}: {from || 'inherited'} → <b>{to || 'inherited'}</b>
      </Text>
    ))}
  </Section>
);

function ReachedAt({ endpoint }: Pick<DryRun, 'endpoint'>) {
  if (endpoint === undefined) return null;
  const { kubeconfigServer: server, strategy, seed } = endpoint;
  return (
    <Section title="Will be reached at" about={`${strategy}, on the seed ${seed}`}>
      {server === null ? (
        <Text fz="sm">An address that is not known yet.</Text>
      ) : (
        <Copyable text={server} what="the server" />
      )}
    </Section>
  );
}
