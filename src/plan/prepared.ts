// What is asked for before clusters exist: a seed that has clusters planned is prepared for them, whether or not some are
// there already. It depends on these documents alone, so that adding or removing a cluster never changes it.
import type { Datacenter, Seed } from '../model/schema/index.ts';
import type { PlanContext } from './context.ts';
import type { Effective } from './settings/effective.ts';
import { datacenterSettings, type SettingsSource, seedSettings } from './settings/index.ts';

export const isPrepared = ({ spec }: Seed): boolean => (spec.plannedClusters ?? 0) > 0;

/** What the clusters to come will inherit in each datacenter; from the seed itself while it has none. */
export function preparedSettings(ctx: PlanContext, seed: Seed): readonly Effective[] {
  if (!isPrepared(seed)) return [];
  const datacenters = ctx.model.datacenters.filter(({ spec }) => spec.seed === seed.metadata.name);
  return datacenters.length === 0
    ? [seedSettings(ctx, seed).effective]
    : datacenters.map((datacenter) => preparedIn(ctx, seed, datacenter));
}

export const preparedIn = (source: SettingsSource, seed: Seed, datacenter: Datacenter): Effective =>
  datacenterSettings(source, seed, datacenter).effective;
