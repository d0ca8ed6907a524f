// Effective settings of every document, resolved once and shared by all clusters that change nothing.
import { getOrAdd } from '../../core/get-or-add.ts';
import { memo } from '../../core/memo.ts';
import type { Cluster, Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';
import { minorOf, type Resolved, resolve, setsNothing } from './resolve.ts';

export type { Resolved } from './resolve.ts';

// Nested by document, because a result holds for exactly these documents and goes when one of them goes.
const ofPlatform = memo((platform: Platform) => {
  const resolved = resolve(platform, undefined, undefined);
  return { resolved, ofSeed: memo((seed: Seed) => withDatacenters(resolved, seed)) };
});
function withDatacenters(platform: Resolved, seed: Seed) {
  const resolved = resolve(seed, platform, seed);
  const ofDatacenter = memo((datacenter: Datacenter) => ({
    resolved: resolve(datacenter, resolved, seed),
    // Clusters that set nothing differ only by what the Kubernetes minor decides.
    byMinor: new Map<number, Resolved>(),
  }));
  return { resolved, ofDatacenter };
}

type HasPlatform = Pick<Model, 'platform'>;
export const platformSettings = (model: HasPlatform): Resolved => ofPlatform(model.platform).resolved;
export const seedSettings = (model: HasPlatform, seed: Seed): Resolved =>
  ofPlatform(model.platform).ofSeed(seed).resolved;
export const datacenterSettings = (model: HasPlatform, seed: Seed, datacenter: Datacenter): Resolved =>
  ofPlatform(model.platform).ofSeed(seed).ofDatacenter(datacenter).resolved;

/** Not remembered, except by the context of the cluster. */
export function clusterSettings(model: HasPlatform, seed: Seed, datacenter: Datacenter, cluster: Cluster): Resolved {
  const { resolved, byMinor } = ofPlatform(model.platform).ofSeed(seed).ofDatacenter(datacenter);
  const own = (): Resolved => resolve(cluster, resolved, seed);
  return setsNothing(cluster) ? getOrAdd(byMinor, minorOf(cluster.spec.kubernetesVersion), own) : own();
}
