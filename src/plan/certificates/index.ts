// Every certificate with one list of names, where it is shown, and who issues it.

import type { Seed } from '../../model/schema/index.ts';
import { memoLast, type PlanCache } from '../cache.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import type { Certificate } from '../schema/index.ts';
import { clusterCertificates } from './cluster.ts';
import { gatewayCertificate, platformCertificate } from './platform.ts';

/** Those of the platform first, then seed by seed. */
export function planCertificates(ctx: PlanContext): Certificate[] {
  const ofSeeds = ctx.model.seeds.flatMap((seed) => [
    gatewayCertificate(ctx, seed),
    ofClusters(ctx.cache, seed, ctx.clustersOfSeed.get(seed.metadata.name) ?? []),
  ]);
  return [platformCertificate(ctx)].concat(...ofSeeds);
}

const remembered = memoLast<Seed, Certificate[]>();
const ofClusters = (cache: PlanCache, seed: Seed, clusters: readonly ClusterContext[]): Certificate[] =>
  remembered(cache, seed, clusters, () => clusters.flatMap(clusterCertificates));
