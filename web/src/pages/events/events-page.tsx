import { Anchor, Button, Center, Stack, Text, Tooltip } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { get } from '../../api/client.ts';
import { useConnection } from '../../api/live.tsx';
import { keys } from '../../api/queries.ts';
import type { ApiEvent, Events } from '../../api/types.ts';
import {
  type Column,
  DataTable,
  NothingFits,
  PageControls,
  usePaging,
} from '../../components/data-table/data-table.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../components/data-table/filters.tsx';
import { localPage } from '../../components/data-table/local-page.ts';
import { useUrlState } from '../../components/data-table/url-state.ts';
import { asTyped } from '../../components/format.ts';
import { Health, type HealthState } from '../../components/health.tsx';
import { Loaded, Notice } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';
import { beforeThese, clusterOf, fits, merged } from './event-log.ts';

const kinds = [
  { value: 'change', label: 'Changes of manifests' },
  { value: 'cluster', label: 'Clusters' },
  { value: 'component', label: 'Programs' },
  { value: 'finding', label: 'Findings' },
  { value: 'access', label: 'Access' },
  { value: 'platform', label: 'Platform' },
];
const levels = [
  { value: 'error', label: 'Errors' },
  { value: 'warn', label: 'Warnings' },
  { value: 'info', label: 'Information' },
];

export function EventsPage() {
  const { query, loadOlder } = useEventLog();
  const isLive = useConnection() === 'live';
  return (
    <Page
      title="Events"
      about="What happened, newest first. It appears here while it happens."
      mark={isLive && <Health state="good" text="Live" />}
    >
      <FilterBar names={['q', 'kind', 'level']}>
        <TextFilter name="q" label="Search events" placeholder="Word, cluster, program" />
        <ChoiceFilter name="kind" label="Kind" options={kinds} />
        <ChoiceFilter name="level" label="Level" options={levels} />
      </FilterBar>
      <Loaded query={query}>
        {(events) => (
          <Stack gap="sm">
            <EventList events={events} />
            {loadOlder !== undefined && <Older load={loadOlder} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function EventList({ events }: { events: readonly ApiEvent[] }) {
  const url = useUrlState();
  const paging = usePaging();
  if (events.length === 0) return <NothingHappened />;
  const wanted = { words: url.get('q'), kind: url.get('kind'), level: url.get('level') };
  const page = localPage(events.filter((event) => fits(event, wanted)).reverse(), paging.query);
  if (page.total === 0) return <NothingFits />;
  return (
    <>
      <DataTable label="Events" columns={columns} rows={page.items} keyOf={({ id }) => String(id)} />
      <PageControls page={page} paging={paging} />
    </>
  );
}

function Older({ load }: { load: () => Promise<void> }) {
  const [isLoading, setLoading] = useState(false);
  const onClick = (): void => {
    setLoading(true);
    void load().finally(() => setLoading(false));
  };
  return (
    <Center>
      <Button variant="default" loading={isLoading} onClick={onClick}>
        Load older events
      </Button>
    </Center>
  );
}

const NothingHappened = () => (
  <Notice icon={IconHistory} title="Nothing has happened yet">
    Changes of manifests, programs that start or fail, and who used the API are told here.
  </Notice>
);

const states: Record<ApiEvent['level'], HealthState> = { info: 'idle', warn: 'warn', error: 'bad' };
const words: Record<ApiEvent['level'], string> = { info: 'Information', warn: 'Warning', error: 'Error' };

export const columns: readonly Column<ApiEvent>[] = [
  { title: 'When', width: '150px', cell: ({ at }) => <When at={at} /> },
  { title: 'Level', width: '130px', cell: ({ level }) => <Health state={states[level]} text={words[level]} /> },
  { title: 'About', width: '28%', cell: ({ subject }) => <Subject subject={subject} /> },
  { title: 'What', cell: ({ message }) => asTyped(message) },
];

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** The day is worth saying only where it is not today. */
function When({ at }: { at: number }) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return (
    <Tooltip label={whole.format(at)}>
      <Text span fz="sm" className="figures" component="time">
        {isToday ? '' : `${day.format(at)}, `}
        {time.format(at)}
      </Text>
    </Tooltip>
  );
}

function Subject({ subject }: { subject: string }) {
  const cluster = clusterOf(subject);
  if (cluster === undefined) return subject;
  return (
    <Anchor component={Link} href={`/clusters/${encodeURIComponent(cluster)}`} fz="sm">
      {subject}
    </Anchor>
  );
}

const atOnce = 200;

export interface EventLog {
  /** Oldest first. Renewed when the platform says that something happened. */
  readonly query: UseQueryResult<readonly ApiEvent[]>;
  /** Undefined where the first event is here already. */
  readonly loadOlder: (() => Promise<void>) | undefined;
}

export function useEventLog(): EventLog {
  const client = useQueryClient();
  const [isWhole, setWhole] = useState(false);
  const known = (): readonly ApiEvent[] => client.getQueryData<readonly ApiEvent[]>(keys.events) ?? [];
  const query = useQuery({ queryKey: keys.events, queryFn: () => withNewEvents(known()) });
  const after = beforeThese(query.data ?? [], atOnce);
  const loadOlder = async (): Promise<void> => {
    const { items } = await get<Events>('/events', { after, limit: atOnce });
    // Old events are forgotten one day: then nothing comes before the first, however high its number.
    if ((items[0]?.id ?? 0) >= (known()[0]?.id ?? 0)) setWhole(true);
    client.setQueryData(keys.events, merged(known(), items));
  };
  return { query, loadOlder: after === undefined || isWhole ? undefined : loadOlder };
}

/** At first the newest events, then only what came after them. */
async function withNewEvents(known: readonly ApiEvent[]): Promise<readonly ApiEvent[]> {
  const { items } = await get<Events>('/events', { after: known.at(-1)?.id, limit: atOnce });
  const all = merged(known, items);
  return known.length > 0 && items.length === atOnce ? withNewEvents(all) : all;
}
