import type { ClusterPage, KubernetesVersions, Page, ResourceItem } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import type { Draft } from './draft.ts';

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
