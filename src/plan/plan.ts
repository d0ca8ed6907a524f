// plan(model, allocations, runtime, cache): everything a platform needs to know about its network, computed once and in one place.
import { type Allocations, noAllocations } from '../model/index.ts';
import type { Model } from '../model/schema/index.ts';
import { buildContext } from './build-context.ts';
import { newCache, type PlanCache } from './cache.ts';
import { planCertificates } from './certificates/index.ts';
import type { PlanContext } from './context.ts';
import { planDns } from './dns/index.ts';
import { planEgress } from './egress/index.ts';
import { endpointOf } from './endpoints.ts';
import { planFlows } from './flows/index.ts';
import { planGateways } from './gateway/index.ts';
import { planInstallation } from './installation/index.ts';
import { konnectivityOf } from './konnectivity.ts';
import { pathOf } from './paths.ts';
import { perCluster } from './per-cluster.ts';
import { planPlaces } from './places/index.ts';
import { planProxy } from './proxy/index.ts';
import { planRequirements } from './requirements.ts';
import { kubernetesRuntime, type Runtime } from './runtime.ts';
import { type Plan, type PlanSettings, planFormat } from './schema/index.ts';
import { datacenterSettings, platformSettings, seedSettings } from './settings/index.ts';

/**
 * Pure and deterministic: the same documents give the same plan, in whatever order they came, with or without a cache.
 * Documents are treated as immutable: with the cache of the last plan, a document that is the same object is not planned
 * again.
 */
export const plan = (
  model: Model,
  allocations: Allocations = noAllocations,
  runtime: Runtime = kubernetesRuntime,
  cache: PlanCache = newCache(),
): Plan => planFromContext(buildContext(model, allocations, runtime, cache));

export function planFromContext(ctx: PlanContext): Plan {
  const { egress, demands } = planEgress(ctx);
  const withoutRequirements = {
    format: planFormat,
    platform: { name: ctx.model.platform.metadata.name, domain: ctx.domain },
    places: planPlaces(ctx),
    settings: planSettings(ctx),
    effective: planEffective(ctx),
    endpoints: planEndpoints(ctx),
    paths: planPaths(ctx),
    flows: planFlows(ctx, demands),
    dns: planDns(ctx),
    certificates: planCertificates(ctx),
    addresses: ctx.addresses,
    egress,
    proxy: planProxy(ctx),
    gateway: planGateways(ctx),
    konnectivity: planKonnectivity(ctx),
    installation: planInstallation(ctx),
  } as const satisfies Omit<Plan, 'requirements'>;
  return { ...withoutRequirements, requirements: planRequirements(ctx, withoutRequirements) };
}

const planEndpoints = perCluster(endpointOf);
const planPaths = perCluster(pathOf);
const planKonnectivity = perCluster(konnectivityOf);
const clusterSettings = perCluster((c) => c.settings);
const planEffective = perCluster((c) => c.effective);

function planSettings(ctx: PlanContext): PlanSettings {
  const { model } = ctx;
  const ofDatacenters = model.datacenters.flatMap((datacenter) => {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    return seed === undefined
      ? []
      : [[datacenter.metadata.name, datacenterSettings(ctx, seed, datacenter).settings] as const];
  });
  return {
    platform: platformSettings(ctx).settings,
    seeds: Object.fromEntries(model.seeds.map((seed) => [seed.metadata.name, seedSettings(ctx, seed).settings])),
    datacenters: Object.fromEntries(ofDatacenters),
    clusters: clusterSettings(ctx),
  };
}
