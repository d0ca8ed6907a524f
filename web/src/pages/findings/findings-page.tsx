import { Stack } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useApi } from '../../api/queries.ts';
import type { ApiFinding, Page as PageOf } from '../../api/types.ts';
import { NothingFits, PageControls, usePaging } from '../../components/data-table/data-table.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../components/data-table/filters.tsx';
import { useUrlState } from '../../components/data-table/url-state.ts';
import { Loaded, Notice } from '../../components/notices.tsx';
import { Page } from '../../components/page.tsx';
import { FindingCard, keyOf } from './finding-card.tsx';

const severities = [
  { value: 'error', label: 'Errors' },
  { value: 'warning', label: 'Warnings' },
];
const filters = ['q', 'severity'];

export const FindingsPage = () => (
  <Page
    title="Findings"
    about="What is wrong in the manifests as they are now, where it is written, and what would be right."
  >
    <FilterBar names={filters}>
      <TextFilter name="q" label="Search findings" placeholder="Word, code, file, resource" />
      <ChoiceFilter name="severity" label="Severity" options={severities} />
    </FilterBar>
    <Findings />
  </Page>
);

function Findings() {
  const url = useUrlState();
  const paging = usePaging();
  const wanted = { q: url.get('q'), severity: url.get('severity') };
  const query = useApi<PageOf<ApiFinding>>('/findings', { ...wanted, ...paging.query });
  const isFiltered = filters.some((name) => url.get(name) !== '');
  return (
    <Loaded query={query}>
      {(page) => (
        <Stack gap="sm">
          {page.total === 0 && (isFiltered ? <NothingFits /> : <AllIsWell />)}
          {page.items.map((finding) => (
            <FindingCard key={keyOf(finding)} finding={finding} />
          ))}
          <PageControls page={page} paging={paging} />
        </Stack>
      )}
    </Loaded>
  );
}

const AllIsWell = () => (
  <Notice icon={IconShieldCheck} title="Nothing is wrong in the manifests" color="green">
    They are read again at every change, and what is found appears here at once.
  </Notice>
);
