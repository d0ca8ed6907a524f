export { keptIn, type LocalCluster, localCluster } from './local-cluster.ts';
export { createProcessDriver, type ProcessDriver, type ProcessDriverOptions } from './supervisor.ts';
