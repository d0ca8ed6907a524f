import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { ClusterPage, FlowRow, Page } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { type Choice, ChoiceFilter } from '../../components/data-table/filters.tsx';

/** The places that flows begin and end at. There are as many as networks, not as clusters. */
export function PlaceFilters() {
  const flows = useApi<Page<FlowRow>>('/flows', { limit: 1000 }).data?.items ?? [];
  return (
    <>
      <ChoiceFilter name="from" label="From" options={choicesOf(flows.map((flow) => [flow.from, flow.fromTitle]))} />
      <ChoiceFilter name="to" label="To" options={choicesOf(flows.map((flow) => [flow.to, flow.toTitle]))} />
    </>
  );
}

const choicesOf = (places: readonly (readonly [id: string, title: string])[]): Choice[] =>
  [...new Map(places)].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label, 'en'));

/** The server looks through the clusters, of which there may be many. */
export function ClusterFilter() {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text, 150);
  const clusters = useApi<ClusterPage>('/clusters', { q, limit: 20 }).data?.items ?? [];
  const options = clusters.map(({ name }) => ({ value: name, label: name }));
  return <ChoiceFilter name="cluster" label="Cluster" options={options} onSearch={setText} />;
}
