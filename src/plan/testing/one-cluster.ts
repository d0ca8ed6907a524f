// One cluster with its four documents, for tests of what is computed per cluster.
import { type Allocations, noAllocations } from '../../model/index.ts';
import type { AddressPool, Cluster, Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';
import { buildContext } from '../build-context.ts';
import type { ClusterContext } from '../context.ts';
import { sampleCluster, sampleDatacenter, sampleModel, samplePlatform, sampleSeed } from './sample-model.ts';

export interface Specs {
  readonly platform?: Partial<Platform['spec']>;
  readonly seed?: Partial<Seed['spec']>;
  readonly datacenter?: Partial<Datacenter['spec']>;
  readonly cluster?: Partial<Cluster['spec']>;
  readonly pools?: readonly AddressPool[];
}

/** Cluster `web` in datacenter `dc1` of seed `west`. */
export const oneClusterModel = ({ platform, seed, datacenter, cluster, pools = [] }: Specs = {}): Model =>
  sampleModel({
    platform: samplePlatform(platform),
    seeds: [sampleSeed('west', seed)],
    datacenters: [sampleDatacenter('dc1', datacenter)],
    clusters: [sampleCluster('web', cluster)],
    pools,
  });

export function oneCluster(specs: Specs = {}, allocations: Allocations = noAllocations): ClusterContext {
  const [context] = buildContext(oneClusterModel(specs), allocations).clusters;
  if (context === undefined) throw new Error('the cluster has no datacenter or seed');
  return context;
}
