export { createProcessDriver, type ProcessDriver, type ProcessDriverOptions } from './process-driver.ts';
export { type ClusterPlace, resolveWorkloads } from './resolve-workload.ts';
