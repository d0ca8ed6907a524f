import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { ClusterPage } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';

interface ClusterFilterProps {
  readonly value: string | undefined;
  readonly onChange: (name: string | undefined) => void;
}

/** One of perhaps ten thousand clusters: the server looks for it while one types. */
export function ClusterFilter({ value, onChange }: ClusterFilterProps) {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text === value ? '' : text, 200);
  const found = useApi<ClusterPage>('/clusters', { q, limit: 20 }).data?.items ?? [];
  const names = found.map(({ name }) => name);
  return (
    <Select
      aria-label="Only this cluster"
      placeholder="All clusters"
      w={190}
      data={value === undefined || names.includes(value) ? names : [value, ...names]}
      value={value ?? null}
      onChange={(name) => onChange(name ?? undefined)}
      searchable
      clearable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage="No such cluster"
    />
  );
}
