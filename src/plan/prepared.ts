// What is asked for before clusters exist: a seed that has clusters planned is prepared for them, whether or not some are
// there already. It depends on these documents alone, so that adding or removing a cluster never changes it.
import type { Datacenter, Platform, Seed } from '../model/schema/index.ts';
import type { PlanContext } from './context.ts';
import type { Effective } from './settings/effective.ts';
import { datacenterSettings, seedSettings } from './settings/index.ts';

export const isPrepared = ({ spec }: Seed): boolean => (spec.plannedClusters ?? 0) > 0;

/** What the clusters to come will inherit in each datacenter; from the seed itself while it has none. */
export function preparedSettings({ model }: PlanContext, seed: Seed): readonly Effective[] {
  if (!isPrepared(seed)) return [];
  const datacenters = model.datacenters.filter(({ spec }) => spec.seed === seed.metadata.name);
  return datacenters.length === 0
    ? [seedSettings(model, seed).effective]
    : datacenters.map((datacenter) => preparedIn(model.platform, seed, datacenter));
}

export const preparedIn = (platform: Platform, seed: Seed, datacenter: Datacenter): Effective =>
  datacenterSettings({ platform }, seed, datacenter).effective;
