export { type ClusterPlace, resolveWorkloads } from './resolve-workload.ts';
export { createProcessDriver, type ProcessDriver, type ProcessDriverOptions } from './supervisor.ts';
