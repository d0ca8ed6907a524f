import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { useApi } from '../../api/queries.ts';
import type { ClusterPage, DryRun, KubernetesVersions, Page, ResourceBody, ResourceItem } from '../../api/types.ts';
import type { Draft } from './draft.ts';

export interface DryRunState {
  /** Undefined until there is enough to ask. */
  readonly answer: DryRun | undefined;
  readonly error: Error | null;
  /** The answer is about what was typed a moment ago. */
  readonly isOld: boolean;
}

/** How long the fingers rest before the platform is asked. */
const restMs = 250;

/** What the platform would do with this document, if there is enough of it. Nothing is written. */
export function useDryRun(resource: ResourceBody | undefined, isNew = false): DryRunState {
  const text = resource === undefined ? '' : JSON.stringify(resource);
  const [settled] = useDebouncedValue(text, restMs);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['dry-run', settled, isNew],
    queryFn: ({ signal }) => planOf(settled, isNew, signal),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isOld = text !== settled || isPlaceholderData;
  return { answer: text === '' ? undefined : data, error, isOld };
}

async function planOf(text: string, isNew: boolean, signal: AbortSignal): Promise<DryRun> {
  const body = JSON.parse(text) as { metadata: { name: string } };
  const path = `/resources/Cluster/${body.metadata.name}`;
  return (await send<DryRun>('PUT', path, { body, query: { dryRun: true }, isNew, signal })).body;
}

export interface Choices {
  readonly datacenters: readonly string[];
  readonly versions: KubernetesVersions;
  /** What most would choose anyway. */
  readonly usual: Partial<Draft>;
}

const noVersions: KubernetesVersions = { items: [] };

export function useChoices(): Choices {
  const places = useApi<Page<ResourceItem>>('/resources/Datacenter', { limit: 1000 }).data?.items ?? [];
  const clusters = useApi<ClusterPage>('/clusters', { limit: 100 }).data?.items ?? [];
  const versions = useApi<KubernetesVersions>('/kubernetes-versions', {}, { staleTime: 60_000 }).data ?? noVersions;
  const datacenters = places.map(({ resource }) => resource.metadata.name);
  const inUse = new Set(clusters.map(({ version }) => version));
  const usual = {
    datacenter: mostOften(clusters.map(({ datacenter }) => datacenter)) ?? datacenters[0] ?? '',
    version: usualVersion(versions, inUse) ?? '',
  };
  return { datacenters, versions, usual };
}

/** The newest that other clusters have, as far as it can be had; else the newest that is tested. */
function usualVersion({ items }: KubernetesVersions, inUse: ReadonlySet<string>): string | undefined {
  const best = items.find(({ version }) => inUse.has(version)) ?? items.find(({ tested }) => tested) ?? items[0];
  return best?.version;
}

function mostOften(names: readonly string[]): string | undefined {
  const [most] = [...Map.groupBy(names, (name) => name)].sort(([, a], [, b]) => b.length - a.length);
  return most?.[0];
}
