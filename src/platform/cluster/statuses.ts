// All clusters in one line each. Those that something else runs are worked out again only when something about them is
// new: there may be very many of them, and nothing happens to most.
import type { Cluster } from '../../model/schema/index.ts';
import type { ClusterStatus } from '../view.ts';
import { isManaged, type Planned } from './cluster-input.ts';
import { type ClusterParts, clusterStatus } from './cluster-status.ts';

export interface StatusFacts {
  readonly planned: Planned;
  readonly clusters: readonly Cluster[];
  /** Another one whenever something else is seen of the clusters that something else runs. */
  readonly externalVersion: number;
  /** All gateways do what is planned. */
  readonly gatewaysWell: boolean;
  partsOf(cluster: Cluster): ClusterParts;
}

type Statuses = readonly ClusterStatus[];

/** The same list for as long as it says the same for sure. */
export function createStatuses(): (facts: StatusFacts) => Statuses {
  let last: { readonly facts: StatusFacts; readonly statuses: Statuses } | undefined;
  return (facts) => {
    const { planned, clusters, partsOf } = facts;
    const known = last !== undefined && isQuiet(last.facts, facts) ? last.statuses : undefined;
    const statusOf = (cluster: Cluster): ClusterStatus => clusterStatus(planned, cluster, partsOf(cluster));
    const statuses =
      known !== undefined && !clusters.some(isManaged)
        ? known
        : clusters.map((cluster, at) => (isManaged(cluster) ? undefined : known?.[at]) ?? statusOf(cluster));
    last = { facts, statuses };
    return statuses;
  };
}

const isQuiet = (before: StatusFacts, now: StatusFacts): boolean =>
  before.planned === now.planned &&
  before.externalVersion === now.externalVersion &&
  before.gatewaysWell &&
  now.gatewaysWell;
