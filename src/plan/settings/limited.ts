// What a runtime makes of the settings of a cluster: no more than it can do, and it is written down that it was the runtime.

import type { Cluster } from '../../model/schema/index.ts';
import { memoAll, type PlanCache } from '../cache.ts';
import type { Runtime } from '../runtime.ts';
import type { Origin, Setting } from './origin.ts';
import type { Resolved } from './resolve.ts';

const key = 'konnectivity.replicas';

/** Settings of a control plane that something else runs are not ours to limit. */
export function limited(cache: PlanCache, resolved: Resolved, cluster: Cluster, runtime: Runtime): Resolved {
  if (cluster.spec.controlPlane?.external !== undefined) return resolved;
  return withinLimits(cache, runtime, withOwnReplicas(resolved, cluster));
}

/** API servers and konnectivity servers are one number, which a cluster may also set as that of its API servers. */
function withOwnReplicas(resolved: Resolved, { metadata, spec }: Cluster): Resolved {
  const value = spec.controlPlane?.managed?.replicas;
  if (value === undefined) return resolved;
  const field = 'spec.controlPlane.managed.replicas';
  return withReplicas(resolved, value, { level: 'Cluster', name: metadata.name, field });
}

/** Clusters that share their settings share what becomes of them. */
const withinLimits = memoAll((_, { name, mostReplicas }: Runtime, resolved: Resolved): Resolved => {
  if (resolved.effective.replicas <= mostReplicas) return resolved;
  return withReplicas(resolved, mostReplicas, { level: 'runtime', name });
});

function withReplicas(resolved: Resolved, value: number, from: Origin): Resolved {
  const { overrode = [], ...nearest } = resolved.settings[key] as Setting;
  return {
    ...resolved,
    effective: { ...resolved.effective, replicas: value },
    settings: { ...resolved.settings, [key]: { value, from, overrode: [nearest, ...overrode] } },
  };
}
