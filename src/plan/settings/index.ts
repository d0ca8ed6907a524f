// Effective settings of every document, resolved once and shared by all clusters that change nothing.
import { getOrAdd } from '../../core/collections.ts';
import type { Cluster, Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';
import { memo, memoAll, type PlanCache } from '../cache.ts';
import type { Plan } from '../schema/index.ts';
import type { Effective } from './effective.ts';
import { minorOf, type Resolved, resolve, setsNothing } from './resolve.ts';

export type { Effective } from './effective.ts';
export { type Origin, originText, type Setting, type SettingRecord } from './origin.ts';
export type { Resolved } from './resolve.ts';

const ofPlatform = memo((platform: Platform): Resolved => resolve(platform, undefined, undefined));
const ofSeed = memoAll(
  (cache, platform: Platform, seed: Seed): Resolved => resolve(seed, ofPlatform(cache, platform), seed),
);
const ofDatacenter = memoAll((cache, platform: Platform, seed: Seed, datacenter: Datacenter) => ({
  resolved: resolve(datacenter, ofSeed(cache, platform, seed), seed),
  // Clusters that set nothing differ only by what the Kubernetes minor decides.
  byMinor: new Map<number, Resolved>(),
}));

/** What settings are resolved from, and where they are kept; every context is one. */
export interface SettingsSource {
  readonly cache: PlanCache;
  readonly model: Pick<Model, 'platform'>;
}
export const platformSettings = ({ cache, model }: SettingsSource): Resolved => ofPlatform(cache, model.platform);
export const seedSettings = ({ cache, model }: SettingsSource, seed: Seed): Resolved =>
  ofSeed(cache, model.platform, seed);
export const datacenterSettings = ({ cache, model }: SettingsSource, seed: Seed, datacenter: Datacenter): Resolved =>
  ofDatacenter(cache, model.platform, seed, datacenter).resolved;

/** Not remembered, except by the context of the cluster. */
export function clusterSettings(
  { cache, model }: SettingsSource,
  seed: Seed,
  datacenter: Datacenter,
  cluster: Cluster,
): Resolved {
  const { resolved, byMinor } = ofDatacenter(cache, model.platform, seed, datacenter);
  const own = (): Resolved => resolve(cluster, resolved, seed);
  return setsNothing(cluster) ? getOrAdd(byMinor, minorOf(cluster.spec.kubernetesVersion), own) : own();
}

/** The settings of a cluster as a plan has them, by name and type. */
export function settingsOf({ effective }: Pick<Plan, 'effective'>, cluster: string): Effective {
  const own = effective[cluster];
  if (own === undefined) throw new TypeError(`${cluster} is not planned`);
  return own;
}
export { type DefaultFacts, leaves } from './leaves.ts';
