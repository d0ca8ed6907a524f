import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = readonly [label: string, value: ReactNode];

/** What is known about one thing, line by line; what is not known has no line. */
export const Facts = ({ facts, labelWidth = 130 }: { facts: readonly Fact[]; labelWidth?: number }) => (
  <DataList size="sm" gap={6} labelWidth={labelWidth}>
    {facts.map(([label, value]) =>
      value === undefined || value === null || value === '' ? null : (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue style={{ overflowWrap: 'anywhere', minWidth: 0 }}>{value}</DataList.ItemValue>
        </DataList.Item>
      ),
    )}
  </DataList>
);
