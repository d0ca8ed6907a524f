import { Badge, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconListNumbers } from '@tabler/icons-react';
import { useApi } from '../../api/queries.ts';
import type { AddressPlan } from '../../api/types.ts';
import {
  type Column,
  DataTable,
  NothingFits,
  PageControls,
  usePaging,
} from '../../components/data-table/data-table.tsx';
import { SearchBar } from '../../components/data-table/filters.tsx';
import { hasWords, localPage } from '../../components/data-table/local-page.ts';
import { useUrlState } from '../../components/data-table/url-state.ts';
import { ValueList } from '../../components/data-table/value-list.tsx';
import { DownloadMenu } from '../../components/download/download-menu.tsx';
import { Health } from '../../components/health.tsx';
import { Loaded, Notice } from '../../components/notices.tsx';

const artefacts = ['address-plan', 'metallb', 'cilium', 'prefix-list'];

/** Who has which address, and how full the pools are. */
export function AddressesTab() {
  const query = useApi<AddressPlan>('/addresses');
  return (
    <Loaded query={query}>
      {(plan) => (
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {usagesOf(plan).map((usage) => (
              <Pool key={usage.name} usage={usage} />
            ))}
          </SimpleGrid>
          <SearchBar
            label="Search addresses"
            placeholder="Address, cluster, pool"
            actions={<DownloadMenu names={artefacts} />}
          />
          <Allocations all={allocationsOf(plan)} />
        </Stack>
      )}
    </Loaded>
  );
}

/** From here on somebody should think of the next pool. */
const nearlyFull = 0.8;

function Pool({ usage: { name, about, needed, capacity } }: { usage: Usage }) {
  const share = capacity === 0 ? 1 : needed / capacity;
  const color = share > 1 ? 'red' : share >= nearlyFull ? 'orange' : 'indigo';
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} fz="md" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <Text fz="xs" c="dimmed">
            {about}
          </Text>
        </div>
        {share >= nearlyFull && (
          <Health state={share > 1 ? 'bad' : 'warn'} text={share > 1 ? 'Too small' : 'Nearly full'} />
        )}
      </Group>
      <Progress value={Math.min(share, 1) * 100} color={color} mt="sm" aria-label={`Used of ${name}`} />
      <Text fz="sm" mt={6} className="figures">
        {needed.toLocaleString('en')} of {capacity.toLocaleString('en')} needed
      </Text>
    </Paper>
  );
}

function Allocations({ all }: { all: readonly Allocation[] }) {
  const words = useUrlState().get('q');
  const paging = usePaging();
  if (all.length === 0) return <NoAllocations />;
  const page = localPage(
    all.filter(({ owner, pool, values }) => hasWords(`${owner} ${pool} ${values.join(' ')}`, words)),
    paging.query,
  );
  if (page.total === 0) return <NothingFits />;
  return (
    <Stack gap="sm">
      <DataTable
        label="Addresses"
        columns={columns}
        rows={page.items}
        keyOf={({ pool, owner }) => `${pool} ${owner}`}
      />
      <PageControls page={page} paging={paging} />
    </Stack>
  );
}

const columns: readonly Column<Allocation>[] = [
  { title: 'For', width: '30%', cell: ({ owner }) => owner },
  { title: 'Pool', width: '25%', cell: ({ pool }) => pool },
  { title: 'Addresses or ports', cell: ({ values }) => <ValueList values={values} shown={4} /> },
  {
    title: 'State',
    width: '15%',
    cell: ({ locked }) =>
      locked ? (
        <Health state="good" text="In the lock" />
      ) : (
        <Badge variant="default" size="sm" tt="none">
          Proposal
        </Badge>
      ),
  },
];

const NoAllocations = () => (
  <Notice icon={IconListNumbers} title="Nobody has an address of a pool">
    Addresses are handed out to gateways, ingress and clusters with LoadBalancer from an AddressPool, node ports to
    clusters with NodePort.
  </Notice>
);

// Pools of addresses and ranges of node ports are looked at in the same way: how full, and who has what.

export interface Usage {
  readonly name: string;
  readonly about: string;
  readonly needed: number;
  readonly capacity: number;
}

export interface Allocation {
  readonly owner: string;
  readonly pool: string;
  readonly values: readonly string[];
  /** False: a proposal, which may move until it is written to the lock. */
  readonly locked: boolean;
}

const portsOf = (seed: string): string => `Node ports of ${seed}`;

export const usagesOf = ({ pools, nodePorts }: AddressPlan): Usage[] => [
  ...pools.map(({ pool, owner, needed, capacity }) => ({ name: pool, about: `Pool of ${owner}`, needed, capacity })),
  ...nodePorts
    .filter(({ needed }) => needed > 0)
    .map(({ seed, range, needed, capacity }) => ({ name: portsOf(seed), about: `Ports ${range}`, needed, capacity })),
];

export const allocationsOf = ({ pools, nodePorts }: AddressPlan): Allocation[] => [
  ...pools.flatMap(({ pool, allocations }) =>
    allocations.map(({ for: owner, addresses, locked }) => ({ owner, pool, values: addresses, locked })),
  ),
  ...nodePorts.flatMap(({ seed, allocations }) =>
    allocations.map(({ cluster, apiServer, konnectivity, locked }) => ({
      owner: `cluster/${cluster}`,
      pool: portsOf(seed),
      values: [`${apiServer} API server`, `${konnectivity} konnectivity`],
      locked,
    })),
  ),
];
