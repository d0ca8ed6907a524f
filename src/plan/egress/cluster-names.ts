// Names of the clusters behind a set of profiles. Many entries are needed by the same clusters and share one list.
import { getOrAdd } from '../../core/get-or-add.ts';
import type { PlanContext } from '../context.ts';
import type { Profile, Profiles } from './profiles.ts';

export function clusterNames(
  ctx: PlanContext,
  { all, ofClusters }: Profiles,
): (wanted: ReadonlySet<Profile>) => string[] {
  const numbers = new Map(all.map((profile, number) => [profile, number]));
  const known = new Map<string, string[]>();
  const everyone = ctx.clusters.map((c) => c.name);
  return (wanted) => {
    if (wanted.size === 0) return [];
    if (wanted.size === all.length) return everyone;
    const key = [...wanted]
      .map((profile) => numbers.get(profile))
      .sort()
      .join();
    return getOrAdd(known, key, () => everyone.filter((_, i) => wanted.has(ofClusters[i] as Profile)));
  };
}
