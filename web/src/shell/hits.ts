import { IconPlus, IconServer2 } from '@tabler/icons-react';
import type { ClusterPage } from '../api/types.ts';
import { useApi } from '../api/use-api.ts';
import { routes } from '../routes.ts';

export interface Hit {
  readonly title: string;
  readonly about: string;
  readonly href: string;
  readonly icon: typeof IconServer2;
}

const pages: readonly Hit[] = [
  ...routes.flatMap(({ title, navigation }) => (navigation === undefined ? [] : [{ title, ...navigation }])),
  { title: 'New cluster', about: 'Plan and create a cluster', href: '/create-cluster', icon: IconPlus },
];

/**
 * Pages and clusters with the text in their name. The server looks through the clusters, of which there may be many, when
 * the text has settled; what it said of an earlier text counts as far as it fits: Enter may come faster than an answer.
 */
export function useHits(text: string, settled: string): readonly Hit[] {
  const clusters = useApi<ClusterPage>('/clusters', { q: settled, limit: 8 }).data?.items ?? [];
  const wanted = text.toLowerCase();
  const all = [
    ...pages,
    ...clusters.map(({ name, strategy, datacenter }) => ({
      title: name,
      about: `Cluster · ${strategy} · ${datacenter}`,
      href: `/clusters/${encodeURIComponent(name)}`,
      icon: IconServer2,
    })),
  ];
  return all.filter(({ title, about }) => `${title} ${about}`.toLowerCase().includes(wanted));
}
