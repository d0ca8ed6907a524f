// Address plans of small models, for tests: effective strategies and seeds come from the context builder.
import { type Allocations, noAllocations } from '../../model/index.ts';
import type { Cluster, Model, Seed } from '../../model/schema/index.ts';
import { buildContext } from '../build-context.ts';
import type { PlanCache } from '../cache.ts';
import { kubernetesRuntime } from '../runtime.ts';
import type { Addresses, PoolPlan } from '../schema/index.ts';
import { sampleCluster, sampleModel, samplePlatform, samplePool, sampleSeed } from './sample-model.ts';

export const addressesOf = (model: Model, allocations: Allocations = noAllocations, cache?: PlanCache): Addresses =>
  buildContext(model, allocations, kubernetesRuntime, cache).addresses;

export const poolOf = (addresses: Addresses, name: string): PoolPlan => {
  const pool = addresses.pools.find((candidate) => candidate.pool === name);
  if (pool === undefined) throw new Error(`no pool ${name} in the plan`);
  return pool;
};

export const allocated = (pool: PoolPlan): Record<string, string[]> =>
  Object.fromEntries(pool.allocations.map((allocation) => [allocation.for, allocation.addresses]));

/** Ingress, gateway and the load balancers of single clusters all draw from the pool `vips` of seed west. */
export function seedPoolModel(
  ranges: readonly string[],
  clusters: readonly Cluster[],
  { exclude, ...seed }: Partial<Seed['spec']> & { exclude?: string[] } = {},
): Model {
  return sampleModel({
    platform: samplePlatform({ ingress: { address: { pool: 'vips' } } }),
    seeds: [sampleSeed('west', { gateway: { address: { pool: 'vips' } }, ...seed })],
    clusters,
    pools: [samplePool('vips', { seed: 'west', ranges: [...ranges], exclude })],
  });
}

export const clustersNamed = (names: readonly string[], spec: Partial<Cluster['spec']> = {}): Cluster[] =>
  names.map((name) => sampleCluster(name, spec));
