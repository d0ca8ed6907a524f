// Control planes that something else runs: the gateway dials them where they are.
import { memo } from '../cache.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import type { Place } from '../schema/index.ts';
import { clusterPlace } from './ids.ts';
import { placeOf, unique } from './place.ts';
import { type Remote, remoteOfEndpoint } from './remote.ts';

const externalIn = memo((clusters: readonly ClusterContext[]): readonly ClusterContext[] =>
  clusters.filter((c) => c.cluster.spec.controlPlane?.external !== undefined),
);
export const externalControlPlanes = (ctx: PlanContext): readonly ClusterContext[] =>
  externalIn(ctx.cache, ctx.clusters);

const remotesOf = ({ cluster }: ClusterContext): Remote[] => {
  const { apiServer = [], konnectivity = [] } = cluster.spec.controlPlane?.external ?? {};
  return [...apiServer, ...konnectivity].map(remoteOfEndpoint);
};

export const controlPlanePlace = (c: ClusterContext): Place =>
  placeOf(clusterPlace(c.name, 'control-plane'), `Control plane of cluster ${c.name}`, {
    hosts: remotesOf(c).map(({ host }) => host),
  });

/** Sorted. */
export const controlPlanePorts = (c: ClusterContext): number[] =>
  unique(remotesOf(c).map(({ port }) => port)).sort((a, b) => a - b);
