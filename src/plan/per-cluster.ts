// Parts by cluster. Where a plan says the same as the one before, it says so with the same objects.
import { isDeepStrictEqual } from 'node:util';
import type { Platform } from '../model/schema/index.ts';
import { memoLast, slot } from './cache.ts';
import type { ClusterContext, PlanContext } from './context.ts';

type PartOf<Part> = (c: ClusterContext) => Part;
interface Last<Part> {
  readonly clusters: readonly ClusterContext[];
  readonly parts: readonly Part[];
}

/** In the order of the clusters. The list of the last plan, if nothing changed in it. */
export function listPerCluster<Part>(partOf: PartOf<Part>): (ctx: PlanContext) => readonly Part[] {
  const lastOf = slot<Platform, Last<Part>>();
  return ({ cache, model, clusters }) => {
    const last = lastOf.get(cache, model.platform);
    const parts =
      last !== undefined && sameNames(clusters, last.clusters)
        ? changedParts(clusters, partOf, last)
        : clusters.map((c) => partOf(c));
    lastOf.set(cache, model.platform, { clusters, parts });
    return parts;
  };
}

/** By name. The record of the last plan, if nothing changed in it. */
export function perCluster<Part>(partOf: PartOf<Part>): (ctx: PlanContext) => Record<string, Part> {
  const listOf = listPerCluster(partOf);
  const lastRecord = memoLast<Platform, Record<string, Part>>();
  return (ctx) => {
    const parts = listOf(ctx);
    return lastRecord(ctx.cache, ctx.model.platform, [parts], () => {
      const record: Record<string, Part> = {};
      for (let i = 0; i < parts.length; i++) record[(ctx.clusters[i] as ClusterContext).name] = parts[i] as Part;
      return record;
    });
  };
}

/** A cluster can change in ways that do not show in this part. */
function changedParts<Part>(
  clusters: readonly ClusterContext[],
  partOf: PartOf<Part>,
  last: Last<Part>,
): readonly Part[] {
  let changed: Part[] | undefined;
  for (let i = 0; i < clusters.length; i++) {
    const now = clusters[i] as ClusterContext;
    if (now === last.clusters[i]) continue;
    const part = partOf(now);
    if (isDeepStrictEqual(part, last.parts[i])) continue;
    changed ??= [...last.parts];
    changed[i] = part;
  }
  return changed ?? last.parts;
}

function sameNames(a: readonly ClusterContext[], b: readonly ClusterContext[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && a[i]?.name !== b[i]?.name) return false;
  return true;
}
