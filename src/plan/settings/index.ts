// Effective settings of every document, resolved once and shared by all clusters that change nothing.
import { memo } from '../../core/memo.ts';
import type { Cluster, Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';
import { minorOf, type Resolved, resolve, setsNothing } from './resolve.ts';

export type { Resolved } from './resolve.ts';

// Nested by document, because a result holds for exactly these four documents and goes when one of them goes.
const ofPlatform = memo((platform: Platform) => resolve({ platform }));
const ofSeed = memo((platform: Platform) => memo((seed: Seed) => resolve({ platform, seed })));
const ofDatacenter = memo((platform: Platform) =>
  memo((seed: Seed) =>
    memo((datacenter: Datacenter) => ({
      resolved: resolve({ platform, seed, datacenter }),
      // Clusters that set nothing differ only by what the Kubernetes minor decides.
      byMinor: new Map<number, Resolved>(),
      ofCluster: memo((cluster: Cluster) => resolve({ platform, seed, datacenter, cluster })),
    })),
  ),
);

type HasPlatform = Pick<Model, 'platform'>;
export const platformSettings = (model: HasPlatform): Resolved => ofPlatform(model.platform);
export const seedSettings = (model: HasPlatform, seed: Seed): Resolved => ofSeed(model.platform)(seed);
export const datacenterSettings = (model: HasPlatform, seed: Seed, datacenter: Datacenter): Resolved =>
  ofDatacenter(model.platform)(seed)(datacenter).resolved;

export function clusterSettings(model: Model, seed: Seed, datacenter: Datacenter, cluster: Cluster): Resolved {
  const base = ofDatacenter(model.platform)(seed)(datacenter);
  if (!unchanged(cluster)) return base.ofCluster(cluster);
  const minor = minorOf(cluster.spec.kubernetesVersion);
  const shared = base.byMinor.get(minor) ?? base.ofCluster(cluster);
  base.byMinor.set(minor, shared);
  return shared;
}

const unchanged = memo(setsNothing);
