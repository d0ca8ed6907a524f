import { Button, Center, Stack } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { useConnection } from '../../api/live.tsx';
import type { ApiEvent } from '../../api/types.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../components/data-table/filters.tsx';
import { NothingFits } from '../../components/data-table/listed.tsx';
import { localPage } from '../../components/data-table/local-page.ts';
import { PageControls, usePaging } from '../../components/data-table/paging.tsx';
import { useUrlState } from '../../components/data-table/url-state.ts';
import { Health } from '../../components/health.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { columns } from './event-columns.tsx';
import { fits } from './history.ts';
import { useHistory } from './use-history.ts';

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
  const { query, loadOlder } = useHistory();
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
