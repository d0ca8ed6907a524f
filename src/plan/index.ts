// What other rooms may know of planning; the plan itself, its settings, catalogue, installation and addresses have entries of their own.
export { buildContext } from './build-context.ts';
export { newCache, type PlanCache } from './cache.ts';
export { planDocument } from './document.ts';
export { gatewayComponent } from './egress/gateways.ts';
export { managementImages } from './egress/tables/management-images.ts';
export { hostPort } from './endpoints.ts';
export {
  areWorkersIn,
  clusterPlace,
  isAt,
  isOfSeed,
  isOfSomeDatacenter,
  masterIngress,
  masterNodes,
  seedPlace,
  users,
} from './places/ids.ts';
export { workersPlaceOf } from './places/worker-networks.ts';
export { plan, planFromContext } from './plan.ts';
export { type Planned, type Reviewed, review } from './review.ts';
export { reviewPlan } from './rules/index.ts';
export { supportedMinors } from './rules/versions.ts';
export { kubernetesRuntime, type Runtime } from './runtime.ts';
