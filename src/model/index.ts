// What other rooms may know of the model beside its schema: findings and their codes, allocations, waivers, who may change what.
export { adminChanges, adminFields } from './admin-changes.ts';
export { type Allocations, lockFile, noAllocations } from './allocations.ts';
export {
  type Code,
  codes,
  isWaivable,
  type PlanningCode,
  planningCodes,
  readingCodes,
} from './codes.ts';
export { type CodeInfo, type Finding, fieldOf, type Path } from './finding.ts';
export { usesGatewayApi } from './release.ts';
export { runningCodes } from './running-codes.ts';
export { applyWaivers } from './waivers.ts';
