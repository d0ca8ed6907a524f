import type { ClusterPage, Page, ResourceItem } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import type { Draft } from './draft.ts';

export interface Choices {
  readonly datacenters: readonly string[];
  /** Versions that other clusters have, newest first. */
  readonly versions: readonly string[];
  /** What most would choose anyway. */
  readonly usual: Partial<Draft>;
}

const newestFirst = new Intl.Collator('en', { numeric: true });

export function useChoices(): Choices {
  const places = useApi<Page<ResourceItem>>('/resources/Datacenter', { limit: 1000 }).data?.items ?? [];
  const clusters = useApi<ClusterPage>('/clusters', { limit: 100 }).data?.items ?? [];
  const datacenters = places.map(({ resource }) => resource.metadata.name);
  const versions = [...new Set(clusters.map(({ version }) => version))].sort((a, b) => newestFirst.compare(b, a));
  const usual = {
    datacenter: mostOften(clusters.map(({ datacenter }) => datacenter)) ?? datacenters[0] ?? '',
    version: versions[0] ?? '',
  };
  return { datacenters, versions, usual };
}

/** A form that creates must not change what is there. */
export function useIsTaken(name: string): boolean {
  const found = useApi<ClusterPage>('/clusters', { q: name, limit: 100 }, { enabled: name !== '' });
  return found.data?.items.some((cluster) => cluster.name === name) ?? false;
}

function mostOften(names: readonly string[]): string | undefined {
  const [most] = [...Map.groupBy(names, (name) => name)].sort(([, a], [, b]) => b.length - a.length);
  return most?.[0];
}
